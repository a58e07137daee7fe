'use client';
import { classNames } from './class-names';

interface SegmentedProps<T extends string> {
  /** What is chosen, for screen readers. */
  label: string;
  options: ReadonlyArray<{ value: T; label: string }>;
  value: T;
  onChange: (value: T) => void;
  className?: string;
}

/** A small choice between a few views of the same thing. */
export function Segmented<T extends string>({ label, options, value, onChange, className }: SegmentedProps<T>) {
  return (
    <fieldset
      aria-label={label}
      className={classNames(
        'grid auto-cols-fr grid-flow-col rounded-md bg-sunken p-0.5 text-xs font-medium',
        className,
      )}
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={classNames(
            'h-6.5 rounded-sm px-2.5 text-center whitespace-nowrap transition-colors max-md:h-9',
            option.value === value
              ? 'bg-raised text-ink shadow-[0_0_0_1px_var(--line),var(--shadow-1)]'
              : 'text-ink-2 hover:text-ink',
          )}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
