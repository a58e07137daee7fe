import { CoinToken } from '@/components/ui/coin-token';
import { RadioCard } from '@/components/ui/radio-card';
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
    <RadioCard
      name="cryptoType"
      value={coin}
      lead={<CoinToken coin={coin} />}
      label={COIN_INFO[coin].name}
      hint={subtitle(coin)}
      aside={isAvailable ? estimate : 'Non disponibile ora'}
      checked={isChosen}
      disabled={!isAvailable}
      onChange={onChoose}
    />
  );
}

/** The coin's letters; its network where letters and name are the same, and where the network is easily mistaken. */
function subtitle(coin: Coin): string {
  if (coin === 'BNB') return 'Rete BEP-20';
  return COIN_INFO[coin].name === coin ? `Rete ${COIN_INFO[coin].network}` : coin;
}
