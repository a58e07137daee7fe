import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names';
import { Icon } from './icon';

type Tone = 'info' | 'warning' | 'danger' | 'success';

const LOOK: Record<Tone, { icon: LucideIcon; ground: string; ink: string }> = {
  info: { icon: Info, ground: 'bg-info-soft', ink: 'text-info' },
  warning: { icon: TriangleAlert, ground: 'bg-warning-soft', ink: 'text-warning' },
  danger: { icon: CircleAlert, ground: 'bg-danger-soft', ink: 'text-danger' },
  success: { icon: CircleCheck, ground: 'bg-success-soft', ink: 'text-success' },
};

interface NoticeProps {
  tone?: Tone;
  icon?: LucideIcon;
  /** "alert" for an error that follows an action, "status" for news. */
  role?: 'alert' | 'status';
  className?: string;
  children: ReactNode;
}

/** A message inside the page: soft fill, icon, ink text. One per view, two at most. */
export function Notice({ tone = 'info', icon, role, className, children }: NoticeProps) {
  const look = LOOK[tone];
  return (
    <div
      role={role}
      className={classNames('flex gap-2.5 rounded-control px-3.5 py-3 text-sm text-pretty', look.ground, className)}
    >
      <Icon icon={icon ?? look.icon} className={classNames('mt-0.5', look.ink)} />
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
