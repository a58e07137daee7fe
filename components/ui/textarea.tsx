import { type ComponentProps, type ReactNode, useId } from 'react';
import { controlClass, Field } from './field';

interface TextareaProps extends ComponentProps<'textarea'> {
  label: ReactNode;
  optional?: boolean;
  hideLabel?: boolean;
  hint?: ReactNode;
  error?: string | undefined;
  /** Class of the whole field. */
  className?: string;
}

/** A field for a few lines, in the frame of an input. All other props (also `ref`) go to the `<textarea>`. */
export function Textarea({
  id: givenId,
  label,
  optional,
  hideLabel,
  hint,
  error,
  rows = 3,
  className,
  ...rest
}: TextareaProps) {
  const ownId = useId();
  const id = givenId ?? ownId;
  return (
    <Field {...{ id, label, optional, hideLabel, hint, error, className }}>
      <div className={controlClass({ invalid: Boolean(error), disabled: rest.disabled, multiline: true, flush: true })}>
        <textarea
          {...rest}
          id={id}
          rows={rows}
          aria-invalid={error ? true : undefined}
          aria-describedby={(error ?? hint) ? `${id}-note` : undefined}
          className="min-w-0 flex-1 resize-y rounded-[inherit] bg-transparent px-3 py-2 outline-none disabled:cursor-not-allowed"
        />
      </div>
    </Field>
  );
}
