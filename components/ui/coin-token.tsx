import type { ReactNode } from 'react';
import type { Coin } from '@/lib/shared/coins';
import { classNames } from './class-names';

const SIZE = { xs: 'size-5', sm: 'size-6', md: 'size-9', lg: 'size-11' };

interface CoinTokenProps {
  coin: Coin;
  size?: keyof typeof SIZE;
}

/** A coin's glyph on its round tint. */
export function CoinToken({ coin, size = 'md' }: CoinTokenProps) {
  return (
    <span
      className={classNames(
        'inline-grid shrink-0 place-items-center rounded-full bg-coin',
        coinLook(coin).ink,
        SIZE[size],
      )}
    >
      <CoinGlyph coin={coin} className="size-[62%]" />
    </span>
  );
}

const stroke = { fill: 'none', stroke: 'currentColor', strokeLinejoin: 'round' } as const;

interface CoinLook {
  /** Colour of text, and of a surface. */
  ink: string;
  fill: string;
  /** Our own drawing, in a square of 24. */
  drawing: ReactNode;
}

const LOOKS: Partial<Record<Coin, CoinLook>> = {
  ETH: {
    ink: 'text-eth',
    fill: 'fill-eth',
    drawing: (
      <>
        <path d="M12 2.6 5.9 12.2 12 15.7z" fill="currentColor" opacity="0.72" />
        <path d="M12 2.6 18.1 12.2 12 15.7z" fill="currentColor" />
        <path d="M5.9 14.4 12 21.4l6.1-7-6.1 3.5z" fill="currentColor" opacity="0.86" />
      </>
    ),
  },
  BNB: {
    ink: 'text-bnb',
    fill: 'fill-bnb',
    drawing: (
      <>
        <path d="M12 3.6 20.4 12 12 20.4 3.6 12z" strokeWidth="2" {...stroke} />
        <path d="M12 8.9 15.1 12 12 15.1 8.9 12z" fill="currentColor" />
      </>
    ),
  },
  TON: {
    ink: 'text-ton',
    fill: 'fill-ton',
    drawing: (
      <path
        d="M5.4 5.4h13.2c1.1 0 1.8 1.2 1.2 2.1L12 20.3 4.2 7.5c-.6-.9.1-2.1 1.2-2.1zM12 5.4v14.4"
        strokeWidth="2"
        {...stroke}
      />
    ),
  },
  TRX: {
    ink: 'text-trx',
    fill: 'fill-trx',
    drawing: (
      <path
        d="M4 4.6 16.4 7l3.8 3.6L11 20.6zM4 4.6l8.6 6.9L11 20.6M16.4 7l-3.8 4.5 7.6-.9"
        strokeWidth="1.75"
        {...stroke}
      />
    ),
  },
  LTC: {
    ink: 'text-ltc',
    fill: 'fill-ltc',
    drawing: <path d="M11.4 4 8.3 18.6h9M6.2 14.1l8-3" strokeWidth="2.5" strokeLinecap="round" {...stroke} />,
  },
};

/** How a coin looks; one that nobody has drawn yet shows its first letters, in the colour of secondary text. */
export function coinLook(coin: Coin): CoinLook {
  return LOOKS[coin] ?? { ink: 'text-ink-2', fill: 'fill-ink-2', drawing: lettersOf(coin) };
}

function lettersOf(ticker: string): ReactNode {
  return (
    <text x="12" y="16" textAnchor="middle" fontSize="11" fontWeight="600" fill="currentColor">
      {ticker.slice(0, 2)}
    </text>
  );
}

/** Our own drawing of a coin, in the colour of the text around it. Always near the coin's letters and network. */
export function CoinGlyph({ coin, className }: { coin: Coin; className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={className}>
      {coinLook(coin).drawing}
    </svg>
  );
}
