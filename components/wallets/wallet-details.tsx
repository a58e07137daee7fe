'use client';
import { RefreshCw } from 'lucide-react';
import { Address } from '@/components/ui/address';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { CryptoAmount } from '@/components/ui/crypto-amount';
import { EurAmount } from '@/components/ui/eur-amount';
import { PageHead } from '@/components/ui/page-head';
import { Panel } from '@/components/ui/panel';
import { QrCard } from '@/components/ui/qr-card';
import type { WalletView } from '@/lib/api-schema/wallets';
import { COIN_INFO } from '@/lib/shared/coins';
import { MoneyOnTheWay } from './money-on-the-way';
import { useRefreshBalance } from './wallet-calls';
import { coinNetwork, walletTypeName } from './wallet-texts';
import { WalletTransactions } from './wallet-transactions';

interface WalletDetailsProps {
  /** As it stands in the address of the page. */
  id: string;
  wallet: WalletView;
}

/** Balance, address with its QR, latest transactions. */
export function WalletDetails({ id, wallet }: WalletDetailsProps) {
  const { cryptoType: coin } = wallet;
  const refresh = useRefreshBalance(id, wallet.uuid);
  return (
    <>
      <PageHead
        title={`Wallet ${COIN_INFO[coin].name}`}
        back={{ href: '/wallets', label: 'I miei Wallet' }}
        description={`${walletTypeName(wallet.type)} · ${coinNetwork(coin)}`}
        actions={
          <Button icon={RefreshCw} busy={refresh.isPending} onClick={() => refresh.mutate()}>
            Aggiorna saldo
          </Button>
        }
      />
      <Panel padded>
        <div className="grid items-center gap-7 max-md:justify-items-center md:grid-cols-[max-content_minmax(0,1fr)]">
          <QrCard value={wallet.address} level="H" label="Codice QR dell’indirizzo del wallet" coin={coin} />
          <div className="grid w-full min-w-0 gap-5">
            <div>
              <p className="text-sm font-medium text-ink-2">Saldo</p>
              <p>
                <CryptoAmount amount={wallet.balance} coin={coin} size="2xl" />
              </p>
              <p className="text-ink-2">
                <EurAmount value={wallet.balanceEuro} />
              </p>
              <MoneyOnTheWay wallet={wallet} />
            </div>
            <div className="grid gap-2">
              <div className="flex items-center justify-between gap-3">
                <span className="text-sm font-medium text-ink-2">Indirizzo</span>
                <CopyButton value={wallet.address} name="indirizzo" />
              </div>
              <Address address={wallet.address} coin={coin} size="md" />
            </div>
          </div>
        </div>
      </Panel>
      <WalletTransactions wallet={wallet} />
    </>
  );
}
