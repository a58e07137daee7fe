import { formatEuro } from '@/lib/shared/format';
import { classNames } from './class-names';

interface EurAmountProps {
  /** Euros, as the API gives them; null shows "N/A". */
  value: number | string | null;
  /** Display sizes set the cents back; `inherit` follows the text around it. */
  size?: 'inherit' | '2xl' | '3xl';
  className?: string;
}

/** Euros as "1.248,50 €". */
export function EurAmount({ value, size = 'inherit', className }: EurAmountProps) {
  if (value === null) {
    return (
      <span className={classNames(size !== 'inherit' && 'text-2xl font-semibold text-ink-3', className)}>N/A</span>
    );
  }
  const text = formatEuro(value);
  if (size === 'inherit') return <span className={classNames('whitespace-nowrap', className)}>{text}</span>;
  const comma = text.lastIndexOf(',');
  return (
    <span
      className={classNames(
        'font-semibold whitespace-nowrap proportional-nums',
        size === '3xl' ? 'text-3xl' : 'text-2xl',
        className,
      )}
    >
      {text.slice(0, comma)}
      <span className="text-[0.62em] font-medium tracking-[-0.01em] text-ink-2">{text.slice(comma)}</span>
    </span>
  );
}
