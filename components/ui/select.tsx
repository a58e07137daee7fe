import { ChevronDown } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId } from 'react';
import { controlClass, Field } from './field';
import { Icon } from './icon';

interface SelectOption {
  value: string;
  label: string;
}

interface SelectProps extends Omit<ComponentProps<'select'>, 'size' | 'children'> {
  label: ReactNode;
  options: readonly SelectOption[];
  optional?: boolean;
  hideLabel?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
  size?: 'md' | 'lg';
  className?: string;
}

/** A native select in the frame of an input. A filter hides its label and names itself: "Stato: tutti". */
export function Select({
  id: givenId,
  label,
  options,
  optional,
  hideLabel,
  hint,
  error,
  size = 'md',
  className,
  ...rest
}: SelectProps) {
  const ownId = useId();
  const id = givenId ?? ownId;
  return (
    <Field {...{ id, label, optional, hideLabel, hint, error, className }}>
      <div className={controlClass({ size, invalid: Boolean(error), disabled: rest.disabled, flush: true })}>
        <select
          {...rest}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={(error ?? hint) ? `${id}-note` : undefined}
          className="h-full w-full min-w-0 cursor-pointer appearance-none text-ellipsis rounded-[inherit] bg-transparent pr-8 pl-3 outline-none disabled:cursor-not-allowed"
        >
          {options.map((option) => (
            <option key={option.value} value={option.value} className="bg-raised text-ink">
              {option.label}
            </option>
          ))}
        </select>
        <Icon icon={ChevronDown} className="pointer-events-none absolute right-2.5 text-ink-3" />
      </div>
    </Field>
  );
}
