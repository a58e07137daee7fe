import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names';
import { Icon } from './icon';

export type BadgeTone = 'info' | 'success' | 'success-outline' | 'warning' | 'danger' | 'over' | 'outline';

const TONE: Record<BadgeTone, string> = {
  info: 'bg-info-soft text-info',
  success: 'bg-success-soft text-success',
  'success-outline': 'text-success inset-ring inset-ring-success/55',
  warning: 'bg-warning-soft text-warning',
  danger: 'bg-danger-soft text-danger',
  over: 'bg-sunken text-ink-2',
  outline: 'text-ink-2 inset-ring inset-ring-line-2',
};

interface BadgeProps {
  tone: BadgeTone;
  icon: LucideIcon;
  /** `lg` beside a page title. */
  size?: 'md' | 'lg';
  children: ReactNode;
}

/** Icon and word on a soft ground: a status is never told by colour alone. Never wraps. */
export function Badge({ tone, icon, size = 'md', children }: BadgeProps) {
  return (
    <span
      className={classNames(
        'inline-flex w-max shrink-0 items-center rounded-sm font-medium tracking-normal whitespace-nowrap',
        size === 'lg' ? 'h-7 gap-1.5 pr-2.5 pl-2 text-sm' : 'h-5.5 gap-1.25 pr-1.75 pl-1.5 text-xs',
        TONE[tone],
      )}
    >
      <Icon icon={icon} size={size === 'lg' ? 16 : 14} />
      {children}
    </span>
  );
}
