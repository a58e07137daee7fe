import type { LucideIcon } from 'lucide-react';
import Link from 'next/link';
import type { ComponentProps } from 'react';
import { type ButtonLook, buttonClass } from './button';
import { Icon } from './icon';

interface ButtonLinkProps extends ComponentProps<typeof Link>, ButtonLook {
  icon?: LucideIcon;
}

/** A link to a page that looks like a button. */
export function ButtonLink({
  variant,
  size = 'md',
  block,
  iconOnly,
  icon,
  className,
  children,
  ...rest
}: ButtonLinkProps) {
  return (
    <Link {...rest} className={buttonClass({ variant, size, block, iconOnly }, className)}>
      {icon && <Icon icon={icon} size={size === 'lg' ? 20 : 16} />}
      {!iconOnly && children}
    </Link>
  );
}
