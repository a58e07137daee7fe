import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, MouseEvent, MouseEventHandler } from 'react';
import { classNames } from './class-names';
import { Icon } from './icon';
import { Spinner } from './spinner';

type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-quiet';
type ButtonSize = 'sm' | 'md' | 'lg';

export interface ButtonLook {
  variant?: ButtonVariant;
  size?: ButtonSize;
  /** Full width. */
  block?: boolean;
  /** Square, for a button that shows its icon alone. */
  iconOnly?: boolean;
}

const BASE =
  'inline-flex shrink-0 items-center justify-center whitespace-nowrap border font-medium transition-colors ' +
  'aria-disabled:not-aria-busy:cursor-not-allowed aria-busy:cursor-progress';

/* Off is sunken and grey, never just faded; a busy button keeps its colours. */
const OFF =
  'aria-disabled:not-aria-busy:border-line aria-disabled:not-aria-busy:bg-sunken ' +
  'aria-disabled:not-aria-busy:text-ink-3 aria-disabled:not-aria-busy:shadow-none';

const VARIANT: Record<ButtonVariant, string> = {
  primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-hover active:bg-accent-hover',
  secondary: 'border-line-2 bg-surface shadow-card hover:border-line-strong hover:bg-hover active:bg-sunken',
  ghost: 'border-transparent text-ink-2 hover:bg-press hover:text-ink active:text-ink',
  danger: 'border-transparent bg-danger text-on-danger hover:bg-danger/90 active:bg-danger/85',
  'danger-quiet': 'border-line-2 bg-surface text-danger hover:border-danger hover:bg-danger-soft active:bg-danger-soft',
};

const SIZE: Record<ButtonSize, string> = {
  sm: 'h-control-sm gap-1.5 rounded-md text-sm',
  md: 'h-control-md gap-2 rounded-md text-base',
  lg: 'h-control-lg gap-2 rounded-control text-md',
};

const PADDING: Record<ButtonSize, string> = { sm: 'px-2.5', md: 'px-3.5', lg: 'px-5' };
const SQUARE: Record<ButtonSize, string> = { sm: 'w-control-sm', md: 'w-control-md', lg: 'w-control-lg' };

/** Classes of a button, shared by `Button` and `ButtonLink`. */
export function buttonClass(
  { variant = 'secondary', size = 'md', block, iconOnly }: ButtonLook,
  extra?: string,
): string {
  const padding = variant === 'ghost' && size === 'md' ? 'px-2.5' : PADDING[size];
  return classNames(
    BASE,
    VARIANT[variant],
    SIZE[size],
    iconOnly ? SQUARE[size] : padding,
    block && 'w-full',
    OFF,
    extra,
  );
}

interface Press {
  disabled?: boolean | undefined;
  busy?: boolean | undefined;
  onClick?: MouseEventHandler<HTMLButtonElement> | undefined;
}

/**
 * Props of a `<button>` that can be off: disabled, or busy with the last press. Off, a press does nothing, by pointer,
 * by Enter and Space, and by Enter in a field of the form that it submits; it keeps the focus and a screen reader says
 * that it is off. The attribute `disabled` would throw the focus away.
 */
export function pressProps({ disabled = false, busy = false, onClick }: Press) {
  const isOff = disabled || busy;
  return {
    'aria-busy': busy || undefined,
    'aria-disabled': isOff || undefined,
    onClick: isOff ? dropPress : onClick,
  };
}

function dropPress(event: Pick<MouseEvent, 'preventDefault'>): void {
  event.preventDefault();
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'aria-disabled' | 'aria-busy'>, ButtonLook {
  icon?: LucideIcon;
  iconSize?: 16 | 18 | 20;
  /** Off, with the spinner in front; the label becomes `busyLabel` when there is one. */
  busy?: boolean;
  busyLabel?: string;
}

/** A button; `type` is "button" unless told otherwise. An icon-only button needs an `aria-label`. */
export function Button({
  variant,
  size = 'md',
  block,
  iconOnly,
  icon,
  iconSize = size === 'lg' ? 20 : 16,
  disabled,
  busy = false,
  busyLabel,
  type = 'button',
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      {...pressProps({ disabled, busy, onClick })}
      type={type}
      className={buttonClass({ variant, size, block, iconOnly }, className)}
    >
      {busy ? <Spinner size={iconSize} /> : icon && <Icon icon={icon} size={iconSize} />}
      {!iconOnly && (busy && busyLabel ? busyLabel : children)}
    </button>
  );
}
