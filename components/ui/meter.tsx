import { classNames } from './class-names';

const TONE = { accent: 'text-accent', info: 'text-info', warning: 'text-warning', success: 'text-success' };

interface MeterProps {
  value: number;
  max: number;
  /** For screen readers. */
  label: string;
  tone?: keyof typeof TONE;
}

/** How much of something has come: a bar beside a number that says the same. */
export function Meter({ value, max, label, tone = 'accent' }: MeterProps) {
  return <progress value={value} max={max} aria-label={label} className={classNames('h-1.5', TONE[tone])} />;
}
