import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names';
import { Icon } from './icon';

interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  /** Level of the title: 1 where it stands for the whole page, 3 inside a panel that has a title. */
  level?: 1 | 2 | 3;
  /** One sentence. */
  children?: ReactNode;
  /** One button or link. */
  action?: ReactNode;
  className?: string;
}

/** What stands where a list or an object would be. */
export function EmptyState({ icon, title, level = 2, children, action, className }: EmptyStateProps) {
  const Title = `h${level}` as const;
  return (
    <div className={classNames('grid justify-items-center gap-1 px-6 py-10 text-center', className)}>
      <span className="mb-2.5 grid size-12 place-items-center rounded-lg bg-sunken text-ink-3">
        <Icon icon={icon} size={20} />
      </span>
      <Title className="text-lg font-semibold">{title}</Title>
      {children && <p className="max-w-104 text-pretty text-ink-2">{children}</p>}
      {action && <div className="mt-3.5">{action}</div>}
    </div>
  );
}
