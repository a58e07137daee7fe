import type { Coin } from '@/lib/shared/coins';
import { classNames } from './class-names';
import { CoinGlyph } from './coin-glyph';

const INK: Record<Coin, string> = {
  ETH: 'text-eth',
  BNB: 'text-bnb',
  TON: 'text-ton',
  TRX: 'text-trx',
  LTC: 'text-ltc',
};
const SIZE = { xs: 'size-5', sm: 'size-6', md: 'size-9', lg: 'size-11' };

interface CoinTokenProps {
  coin: Coin;
  size?: keyof typeof SIZE;
}

/** A coin's glyph on its round tint. */
export function CoinToken({ coin, size = 'md' }: CoinTokenProps) {
  return (
    <span className={classNames('inline-grid shrink-0 place-items-center rounded-full bg-coin', INK[coin], SIZE[size])}>
      <CoinGlyph coin={coin} className="size-[62%]" />
    </span>
  );
}
