'use client';
import { Plus } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { CoinToken } from '@/components/ui/coin-token';
import { COIN_INFO, type Coin } from '@/lib/shared/coins';
import { CREATE_WALLETS_ID } from './create-wallets-id';
import { useCreateWallet, useEnabledCoins } from './wallet-calls';
import { coinNetwork } from './wallet-texts';

/** "Crea nuovi wallet": the coins that the merchant lacks. */
export function CreateWallets({ missing }: { missing: readonly Coin[] }) {
  const create = useCreateWallet();
  const enabled = useEnabledCoins();
  const title = useRef<HTMLHeadingElement>(null);
  // The section appears after the wallets have loaded, too late for the browser's own jump to the fragment.
  useEffect(() => {
    if (window.location.hash !== `#${CREATE_WALLETS_ID}`) return;
    title.current?.scrollIntoView();
    title.current?.focus();
  }, []);

  return (
    <section aria-labelledby={CREATE_WALLETS_ID} className="mt-8">
      <h2 id={CREATE_WALLETS_ID} ref={title} tabIndex={-1} className="scroll-mt-20 text-[0.9375rem]/5 outline-none">
        Crea nuovi wallet
      </h2>
      <p className="text-sm text-ink-2">
        {missing.length > 0 ? 'Monete che non hai ancora in cassa.' : 'Hai già un wallet per ogni moneta.'}
      </p>
      <ul className="mt-3.5 grid gap-4 lg:grid-cols-2">
        {missing.map((coin) => {
          const isOff = enabled !== null && !enabled.includes(coin);
          return (
            <li
              key={coin}
              className="flex min-w-0 flex-wrap items-center gap-3 rounded-lg border border-dashed border-line-strong py-3.5 pr-4 pl-4 md:pl-5"
            >
              <CoinToken coin={coin} />
              <span className="grid min-w-0">
                <span className="font-medium">{COIN_INFO[coin].name}</span>
                <span className="text-xs text-ink-3">{coinNetwork(coin)}</span>
              </span>
              {isOff ? (
                <span className="ml-auto text-sm text-ink-2">Non attiva su questo server</span>
              ) : (
                <Button
                  size="sm"
                  icon={Plus}
                  className="ml-auto"
                  busy={create.isPending && create.variables === coin}
                  onClick={() => create.mutate(coin)}
                >
                  Crea wallet {coin}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
