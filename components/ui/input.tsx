import type { LucideIcon } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names';
import { controlClass, Field } from './field';
import { Icon } from './icon';

interface InputProps extends Omit<ComponentProps<'input'>, 'size' | 'prefix'> {
  label: ReactNode;
  optional?: boolean;
  hideLabel?: boolean;
  aside?: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  /** Icon inside the frame, on the left. */
  icon?: LucideIcon;
  /** Inside the frame, on the right: "€", a coin, MAX, the eye. */
  suffix?: ReactNode;
  size?: 'md' | 'lg';
  mono?: boolean;
  /** Class of the whole field. */
  className?: string;
}

/** A text field with its label, hint or error. All other props (also `ref`) go to the `<input>`. */
export function Input({
  id: givenId,
  label,
  optional,
  hideLabel,
  aside,
  hint,
  error,
  icon,
  suffix,
  size = 'md',
  mono,
  className,
  ...rest
}: InputProps) {
  const ownId = useId();
  const id = givenId ?? ownId;
  const hasNote = Boolean(error ?? hint);
  return (
    <Field {...{ id, label, optional, hideLabel, aside, hint, error, className }}>
      <div className={controlClass({ size, invalid: Boolean(error), disabled: rest.disabled })}>
        {icon && <Icon icon={icon} className="text-ink-3" />}
        <input
          {...rest}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={hasNote ? `${id}-note` : undefined}
          className={classNames(
            'h-full min-w-0 flex-1 bg-transparent outline-none disabled:cursor-not-allowed',
            mono && 'font-mono',
          )}
        />
        {suffix && <span className="flex shrink-0 items-center font-medium text-ink-2">{suffix}</span>}
      </div>
    </Field>
  );
}
