'use client';
import { type ReactNode, useState } from 'react';
import { Address } from '@/components/ui/address';
import { CoinToken } from '@/components/ui/coin-token';
import { CopyButton } from '@/components/ui/copy-button';
import { CryptoAmount } from '@/components/ui/crypto-amount';
import { QrCard } from '@/components/ui/qr-card';
import { Segmented } from '@/components/ui/segmented';
import { useHydrated } from '@/lib/client/use-hydrated';
import { type Coin, chainOf } from '@/lib/shared/coins';
import { paymentUri } from './payment-uri';

type QrContent = 'address' | 'amount';

const QR_CONTENTS = [
  { value: 'address', label: 'Solo indirizzo' },
  { value: 'amount', label: 'Con importo' },
] as const;

interface PayBoxProps {
  coin: Coin;
  address: string;
  /** Still to pay, whole coins, decimal text. */
  amount: string;
  /** "Invia esattamente", "Invia il resto", "Importo da inviare". */
  amountLabel: string;
  /** Lets the payer choose a QR that carries the amount, where the coin has a safe form for it. */
  withAmountQr?: boolean;
  /** The button that opens a wallet. */
  action?: ReactNode;
}

/** Everything a payer needs: QR of the address, amount with its network, whole address; each to be copied. */
export function PayBox({ coin, address, amount, amountLabel, withAmountQr = false, action }: PayBoxProps) {
  const [content, setContent] = useState<QrContent>('address');
  const hydrated = useHydrated();
  const uri = withAmountQr ? paymentUri(coin, address, amount) : null;
  const showsAmount = content === 'amount' && uri !== null;
  return (
    <div className="@container">
      <div className="grid gap-x-7 [grid-template-areas:'amount'_'action'_'qr'_'address'] @lg:grid-cols-[max-content_minmax(0,1fr)] @lg:grid-rows-[auto_1fr_auto] @lg:[grid-template-areas:'qr_amount'_'qr_address'_'action_action']">
        <div className="grid content-start gap-0.5 pb-4.5 [grid-area:amount]">
          <div className="flex items-center justify-between gap-3">
            <span className="text-sm font-medium text-ink-2">{amountLabel}</span>
            <CopyButton value={amount} name="importo" />
          </div>
          <p>
            <CryptoAmount amount={amount} coin={coin} size="2xl" />
          </p>
          <p className="mt-1 flex items-center gap-2 text-sm text-ink-2">
            <CoinToken coin={coin} size="xs" />
            Rete {chainOf(coin).network}
          </p>
        </div>
        <div className="grid content-start justify-items-center gap-2.5 [grid-area:qr] @max-lg:pb-5">
          <QrCard
            value={showsAmount ? uri : address}
            level="H"
            label={showsAmount ? 'Codice QR con indirizzo e importo' : 'Codice QR dell’indirizzo di pagamento'}
            coin={coin}
          />
          {hydrated && uri !== null && (
            <Segmented
              label="Contenuto del codice QR"
              options={QR_CONTENTS}
              value={content}
              onChange={setContent}
              className="w-full"
            />
          )}
        </div>
        <div className="grid content-start gap-1.5 border-t border-line pt-4.5 [grid-area:address]">
          <div className="flex items-center justify-between gap-3">
            <span className="text-sm font-medium text-ink-2">All’indirizzo</span>
            <CopyButton value={address} name="indirizzo" />
          </div>
          <Address address={address} coin={coin} size="md" />
        </div>
        {action && <div className="[grid-area:action] @max-lg:pb-6 @lg:pt-6">{action}</div>}
      </div>
    </div>
  );
}
