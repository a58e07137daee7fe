import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names';
import { Icon } from './icon';

interface FieldProps {
  /** Id of the control; hint and error get ids derived from it (`fieldNoteId`). */
  id: string;
  label: ReactNode;
  /** Adds "(opzionale)" to the label. */
  optional?: boolean;
  hideLabel?: boolean;
  /** Stands at the right end of the label line, for example a counter. */
  aside?: ReactNode;
  hint?: ReactNode;
  /** Replaces the hint. */
  error?: string | undefined;
  className?: string;
  children: ReactNode;
}

/** Label above, control, then hint or error: the frame of every form control. */
export function Field({ id, label, optional, hideLabel, aside, hint, error, className, children }: FieldProps) {
  return (
    <div className={classNames('grid content-start gap-1.5', className)}>
      <div className={hideLabel ? 'sr-only' : 'flex justify-between gap-3'}>
        <label htmlFor={id} className="font-medium">
          {label}
          {optional && <span className="font-normal text-ink-3"> (opzionale)</span>}
        </label>
        {aside && <span className="text-ink-3">{aside}</span>}
      </div>
      {children}
      {error ? (
        <p id={`${id}-note`} className="flex items-start gap-1.5 text-sm text-danger">
          <Icon icon={CircleAlert} size={14} className="mt-0.75" />
          {error}
        </p>
      ) : (
        hint && (
          <p id={`${id}-note`} className="text-sm text-ink-3">
            {hint}
          </p>
        )
      )}
    </div>
  );
}

interface ControlLook {
  size?: 'md' | 'lg';
  invalid?: boolean;
  disabled?: boolean | undefined;
  /** As high as its text. */
  multiline?: boolean;
  /** No padding: the control inside fills the frame. */
  flush?: boolean;
}

/** The frame around an input or a select: boundary, focus ring, error and disabled looks. */
export function controlClass({ size = 'md', invalid, disabled, multiline, flush }: ControlLook): string {
  return classNames(
    'flex min-w-0 items-center gap-2 border transition-[border-color,box-shadow]',
    'focus-within:border-accent focus-within:shadow-[0_0_0_1px_var(--accent),0_0_0_4px_color-mix(in_srgb,var(--accent)_16%,transparent)]',
    size === 'lg' ? 'rounded-control text-md' : 'rounded-md max-md:text-md',
    !multiline && (size === 'lg' ? 'h-control-lg' : 'h-control-md'),
    disabled
      ? 'border-line-2 bg-sunken text-ink-3'
      : classNames('bg-surface', invalid ? 'border-danger' : 'border-line-strong hover:not-focus-within:border-ink-2'),
    flush ? 'relative' : size === 'lg' ? 'px-3.5' : 'px-3',
  );
}
