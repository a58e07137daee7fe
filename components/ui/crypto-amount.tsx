import type { Coin } from '@/lib/shared/coins';
import { formatCrypto } from '@/lib/shared/format';
import { classNames } from './class-names';

const SIZE = {
  inherit: 'whitespace-nowrap',
  lg: 'text-lg font-semibold whitespace-nowrap',
  xl: 'text-lg font-semibold @min-[13rem]:text-xl',
  /* Steps down where its box is narrow, then breaks after the comma: an amount is never clipped. */
  '2xl': 'text-lg font-semibold @min-[13rem]:text-xl @min-[17rem]:text-2xl',
};

interface CryptoAmountProps {
  /** Decimal text in whole coins; null shows "N/A". */
  amount: string | null;
  coin: Coin;
  size?: keyof typeof SIZE;
  /** Shows the coin's letters; on unless told otherwise. */
  unit?: boolean;
  /** Money that leaves gets the minus sign. */
  negative?: boolean;
  className?: string;
}

/** A crypto amount with 8 decimals; trailing zeros and unit step back. `xl` and `2xl` measure the box they stand in. */
export function CryptoAmount({
  amount,
  coin,
  size = 'inherit',
  unit = true,
  negative = false,
  className,
}: CryptoAmountProps) {
  if (amount === null) return <span className={className}>N/A</span>;
  const text = formatCrypto(amount);
  const [, main = text, zeros = ''] = /^(.*?)(,?0*)$/.exec(text) ?? [];
  const [whole, decimals] = splitAfterComma(main);
  const figure = (
    <span className={classNames(SIZE[size], className)}>
      {negative && '\u2212'}
      {whole}
      {decimals && <wbr />}
      {decimals}
      {zeros && <span className="text-ink-3">{zeros}</span>}
      {unit && <span className={size === 'inherit' ? 'text-ink-3' : 'font-medium text-ink-3'}>{`\u00a0${coin}`}</span>}
    </span>
  );
  return size === 'xl' || size === '2xl' ? <span className="@container block">{figure}</span> : figure;
}

function splitAfterComma(text: string): [string, string] {
  const comma = text.indexOf(',') + 1;
  return comma === 0 ? [text, ''] : [text.slice(0, comma), text.slice(comma)];
}
