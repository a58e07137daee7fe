import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names';

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type'> {
  label: ReactNode;
  hint?: ReactNode;
}

/** A checkbox whose whole row is the label. */
export function Checkbox({ label, hint, className, ...rest }: CheckboxProps) {
  return (
    <label className={classNames('flex cursor-pointer items-start gap-2.5 py-0.75', className)}>
      <input
        {...rest}
        type="checkbox"
        className="mt-px grid size-4.5 shrink-0 cursor-pointer appearance-none place-items-center rounded-[4px] border border-line-strong bg-surface before:size-2.75 before:bg-on-accent before:[clip-path:polygon(15%_46%,1%_62%,41%_98%,100%_20%,84%_6%,39%_68%)] checked:border-accent checked:bg-accent not-checked:before:hidden disabled:cursor-not-allowed disabled:border-line-2 disabled:bg-sunken"
      />
      <span>
        {label}
        {hint && <span className="block text-sm text-ink-3">{hint}</span>}
      </span>
    </label>
  );
}
