import { classNames } from './class-names';

interface StampProps {
  /** "27 nov 2026 · 11:34" */
  date?: string;
  /** Lands once, where the payment was just seen to arrive. */
  animate?: boolean;
}

/** The "Pagata" stamp, once per paid document and for no other state. */
export function Stamp({ date, animate = false }: StampProps) {
  return (
    <span className={classNames('stamp', animate && 'animate-stamp')}>
      Pagata
      {date && <span className="text-2xs/3.5 font-semibold tracking-[0.08em]">{date}</span>}
    </span>
  );
}
