import { CoinToken } from '@/components/ui/coin-token';
import { COIN_INFO, type Coin } from '@/lib/shared/coins';

interface CoinOptionProps {
  coin: Coin;
  /** False when the coin cannot be paid now: shown, with a word, but not for choice. */
  isAvailable: boolean;
  /** About what would be due in this coin; null while no price is known. */
  estimate: string | null;
  isChosen: boolean;
  onChoose: () => void;
}

/** A radio card of the coin choice. */
export function CoinOption({ coin, isAvailable, estimate, isChosen, onChoose }: CoinOptionProps) {
  return (
    <label className="flex cursor-pointer items-center gap-3.5 rounded-lg border border-line-2 px-4 py-3 transition-colors hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft/50 has-checked:inset-ring has-checked:inset-ring-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent has-disabled:cursor-not-allowed has-disabled:border-line has-disabled:bg-sunken">
      <CoinToken coin={coin} />
      <span className="grid min-w-0">
        <span className="font-medium">{COIN_INFO[coin].name}</span>
        <span className="text-sm text-ink-3">{subtitle(coin)}</span>
      </span>
      <span className="ml-auto text-right text-sm text-ink-2">{isAvailable ? estimate : 'Non disponibile ora'}</span>
      <input
        type="radio"
        name="cryptoType"
        value={coin}
        checked={isChosen}
        disabled={!isAvailable}
        onChange={onChoose}
        className="size-5 shrink-0 cursor-pointer appearance-none rounded-full border border-line-strong bg-surface outline-none checked:border-6 checked:border-accent disabled:cursor-not-allowed disabled:border-line-2 disabled:bg-sunken"
      />
    </label>
  );
}

/** The coin's letters; its network where letters and name are the same, and where the network is easily mistaken. */
function subtitle(coin: Coin): string {
  if (coin === 'BNB') return 'Rete BEP-20';
  return COIN_INFO[coin].name === coin ? `Rete ${COIN_INFO[coin].network}` : coin;
}
