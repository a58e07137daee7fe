import { CircleCheck, CircleDashed, Clock } from 'lucide-react';
import { classNames } from './class-names';
import { Icon } from './icon';

/** Thresholds of the colours. */
const SAFE = 6;
const SOME = 1;

/** Number of confirmations: green at 6 or more, yellow at 1 or more, grey otherwise; always with the number. */
export function Confirmations({ count }: { count: number }) {
  const look =
    count >= SAFE
      ? { icon: CircleCheck, ink: 'text-success' }
      : count >= SOME
        ? { icon: Clock, ink: 'text-warning' }
        : { icon: CircleDashed, ink: 'text-ink-3' };
  return (
    <span className={classNames('inline-flex items-center gap-1.5 whitespace-nowrap', look.ink)}>
      <Icon icon={look.icon} size={14} />
      {count === 1 ? '1 conferma' : `${count} conferme`}
    </span>
  );
}
