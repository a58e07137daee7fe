import { classNames } from './class-names';

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
