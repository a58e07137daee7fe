'use client';
import { Wallet } from 'lucide-react';
import { useId, useState } from 'react';
import { ButtonLink } from '@/components/ui/button-link';
import { CoinToken } from '@/components/ui/coin-token';
import { CryptoAmount } from '@/components/ui/crypto-amount';
import { EmptyState } from '@/components/ui/empty-state';
import { EurAmount } from '@/components/ui/eur-amount';
import { SkeletonRows } from '@/components/ui/skeleton';
import { WalletDialog } from '@/components/wallets/wallet-dialog';
import type { WalletView } from '@/lib/api-schema/wallets';
import { COIN_INFO, chainOf } from '@/lib/shared/coins';
import { SectionHead } from './section-head';

interface WalletSectionProps {
  /** Undefined while they load, or when they could not be loaded. */
  wallets: readonly WalletView[] | undefined;
  failed: boolean;
}

/** "I miei portafogli": the primary wallets; choosing one opens its dialog. */
export function WalletSection({ wallets, failed }: WalletSectionProps) {
  const titleId = useId();
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <section aria-labelledby={titleId}>
      <SectionHead id={titleId} title="I miei portafogli" href="/wallets" link="Modificare" />
      {wallets === undefined && (failed ? <LoadFailure /> : <SkeletonRows rows={4} avatar />)}
      {wallets?.length === 0 && (
        <EmptyState
          icon={Wallet}
          title="Ancora nessun wallet"
          level={3}
          className="border-t border-line"
          action={<ButtonLink href="/wallets/create">Crea un wallet</ButtonLink>}
        >
          Ti serve un wallet per ogni moneta che vuoi incassare.
        </EmptyState>
      )}
      <ul>
        {wallets?.map((wallet) => (
          <li key={wallet.uuid} className="border-t border-line">
            <WalletRow wallet={wallet} onChoose={() => setChosen(wallet.uuid)} />
          </li>
        ))}
      </ul>
      <WalletDialog
        wallet={wallets?.find((wallet) => wallet.uuid === chosen) ?? null}
        onClose={() => setChosen(null)}
      />
    </section>
  );
}

function WalletRow({ wallet, onChoose }: { wallet: WalletView; onChoose: () => void }) {
  const { name } = COIN_INFO[wallet.cryptoType];
  const { network } = chainOf(wallet.cryptoType);
  const shortNetwork = network.replace(/ \(.*\)$/, '');
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onClick={onChoose}
      className="flex min-h-15 w-full items-center gap-3 px-4 py-2 text-left -outline-offset-2 transition-colors hover:bg-hover md:px-5"
    >
      <CoinToken coin={wallet.cryptoType} />
      <span className="grid min-w-0 flex-1">
        <span className="font-medium">{name}</span>
        <span className="text-xs text-ink-3">{shortNetwork === name ? wallet.cryptoType : shortNetwork}</span>
      </span>
      <span className="grid shrink-0 justify-items-end text-right">
        <EurAmount value={wallet.balanceEuro} className="font-medium" />
        <CryptoAmount amount={wallet.balance} coin={wallet.cryptoType} className="text-xs" />
      </span>
    </button>
  );
}

function LoadFailure() {
  return (
    <p className="border-t border-line px-4 py-6 text-ink-2 md:px-5">
      Impossibile caricare i wallet. Riprova più tardi.
    </p>
  );
}
