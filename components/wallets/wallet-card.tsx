import Link from 'next/link';
import { Button } from '@/components/ui/button';
import { CoinToken } from '@/components/ui/coin-token';
import { CopyButton } from '@/components/ui/copy-button';
import { CryptoAmount } from '@/components/ui/crypto-amount';
import { EurAmount } from '@/components/ui/eur-amount';
import type { WalletView } from '@/lib/api-schema/wallets';
import { COIN_INFO } from '@/lib/shared/coins';
import { shortAddress } from '@/lib/shared/format';
import { MoneyOnTheWay } from './money-on-the-way';
import { coinNetwork, walletTypeName } from './wallet-texts';

interface WalletCardProps {
  wallet: WalletView;
  onReceive: () => void;
}

/** A wallet: coin, balance, address. */
export function WalletCard({ wallet, onReceive }: WalletCardProps) {
  const { cryptoType: coin } = wallet;
  return (
    <article className="grid min-w-0 content-start gap-4 rounded-lg border border-line bg-surface p-4 md:p-5">
      <div className="flex items-center justify-between gap-3">
        <Link
          href={`/wallets/${wallet.uuid}`}
          className="flex min-w-0 items-center gap-2.5 rounded-sm hover:text-accent"
        >
          <CoinToken coin={coin} size="lg" />
          <span className="grid min-w-0">
            <h2 className="text-base font-semibold">{COIN_INFO[coin].name}</h2>
            <span className="text-xs text-ink-3">{coinNetwork(coin)}</span>
          </span>
        </Link>
        <span className="text-right text-xs text-ink-3">{walletTypeName(wallet.type)}</span>
      </div>
      <div>
        <p>
          <CryptoAmount amount={wallet.balance} coin={coin} size="xl" />
        </p>
        <p className="text-ink-2">
          <EurAmount value={wallet.balanceEuro} />
        </p>
        <MoneyOnTheWay wallet={wallet} />
      </div>
      <div className="mt-auto flex flex-wrap items-center gap-x-2 gap-y-3 border-t border-line pt-3.5">
        <span translate="no" title={wallet.address} className="font-mono text-sm text-ink-2">
          {shortAddress(wallet.address)}
        </span>
        <CopyButton value={wallet.address} name={`indirizzo ${coin}`} iconOnly />
        <Button size="sm" onClick={onReceive} aria-haspopup="dialog" className="ml-auto">
          Ricevi {coin}
        </Button>
      </div>
    </article>
  );
}
