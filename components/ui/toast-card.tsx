import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert, X } from 'lucide-react';
import { classNames } from './class-names';
import { Icon } from './icon';

export type ToastType = 'success' | 'error' | 'warning' | 'info';

const LOOK: Record<ToastType, { icon: LucideIcon; ink: string }> = {
  success: { icon: CircleCheck, ink: 'text-success' },
  error: { icon: CircleAlert, ink: 'text-danger' },
  warning: { icon: TriangleAlert, ink: 'text-warning' },
  info: { icon: Info, ink: 'text-info' },
};

interface ToastCardProps {
  type: ToastType;
  title: string;
  description?: string | undefined;
  onClose: () => void;
}

/** One notification: icon, text, close. Errors interrupt a screen reader, the others wait. */
export function ToastCard({ type, title, description, onClose }: ToastCardProps) {
  const look = LOOK[type];
  return (
    <div
      role={type === 'error' ? 'alert' : 'status'}
      className="flex w-full items-start gap-2.5 rounded-lg border border-line bg-raised py-3 pr-3 pl-3.5 font-sans text-base text-ink shadow-float md:w-88"
    >
      <Icon icon={look.icon} size={18} className={classNames('mt-px', look.ink)} />
      <div className="min-w-0 flex-1">
        <p className="text-pretty">{title}</p>
        {description && <p className="text-sm text-pretty text-ink-2">{description}</p>}
      </div>
      <button
        type="button"
        aria-label="Chiudi notifica"
        onClick={onClose}
        className="-m-1 grid size-7 place-items-center rounded-sm text-ink-3 transition-colors hover:text-ink"
      >
        <Icon icon={X} size={14} />
      </button>
    </div>
  );
}
