import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { type ButtonLook, buttonClass } from './button-class';
import { Icon } from './icon';
import { Spinner } from './spinner';

interface ButtonProps extends ComponentProps<'button'>, ButtonLook {
  icon?: LucideIcon;
  iconSize?: 16 | 18 | 20;
  /** Shows the spinner in front and refuses clicks; the label becomes `busyLabel` when there is one. */
  busy?: boolean;
  busyLabel?: string;
}

/**
 * A button; `type` is "button" unless told otherwise. An icon-only button needs an `aria-label`.
 * Busy keeps the focus where it is: the click is dropped, the element is not disabled.
 */
export function Button({
  variant,
  size = 'md',
  block,
  iconOnly,
  icon,
  iconSize = size === 'lg' ? 20 : 16,
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
      type={busy ? 'button' : type}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled']}
      onClick={busy ? undefined : onClick}
      className={buttonClass({ variant, size, block, iconOnly }, className)}
    >
      {busy ? <Spinner size={iconSize} /> : icon && <Icon icon={icon} size={iconSize} />}
      {!iconOnly && (busy && busyLabel ? busyLabel : children)}
    </button>
  );
}
