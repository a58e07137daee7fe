import type { ComponentProps, ReactNode } from 'react';

interface RadioCardProps extends Omit<ComponentProps<'input'>, 'type' | 'className'> {
  /** Stands in front, for example a coin. */
  lead?: ReactNode;
  label: ReactNode;
  hint?: ReactNode;
  /** Stands before the circle. */
  aside?: ReactNode;
}

/** One of a few choices that need a line each. The whole card is the label; all other props go to the `<input>`. */
export function RadioCard({ lead, label, hint, aside, ...rest }: RadioCardProps) {
  return (
    <label className="flex cursor-pointer items-center gap-3.5 rounded-lg border border-line-2 px-4 py-3 transition-colors hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft/50 has-checked:inset-ring has-checked:inset-ring-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent has-disabled:cursor-not-allowed has-disabled:border-line has-disabled:bg-sunken">
      {lead}
      <span className="grid min-w-0">
        <span className="font-medium">{label}</span>
        {hint && <span className="text-sm text-ink-3">{hint}</span>}
      </span>
      <span className="ml-auto text-right text-sm text-ink-2">{aside}</span>
      <input
        {...rest}
        type="radio"
        className="size-5 shrink-0 cursor-pointer appearance-none rounded-full border border-line-strong bg-surface outline-none checked:border-6 checked:border-accent disabled:cursor-not-allowed disabled:border-line-2 disabled:bg-sunken"
      />
    </label>
  );
}
