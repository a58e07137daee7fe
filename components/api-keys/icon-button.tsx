import type { LucideIcon } from 'lucide-react';
import { classNames } from '@/components/ui/class-names';
import { Icon } from '@/components/ui/icon';
import { Spinner } from '@/components/ui/spinner';

interface IconButtonProps {
  icon: LucideIcon;
  label: string;
  isPressed?: boolean;
  isDone?: boolean;
  isBusy?: boolean;
  onClick: () => void;
}

/** A small button inside a secret's box. */
export function IconButton({ icon, label, isPressed, isDone = false, isBusy = false, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={isPressed}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? undefined : onClick}
      className={classNames(
        '-my-1 grid size-7 shrink-0 place-items-center rounded-sm transition-colors max-md:size-9',
        isDone ? 'text-success' : 'text-ink-3 hover:bg-accent-soft hover:text-accent',
      )}
    >
      {isBusy ? <Spinner size={14} /> : <Icon icon={icon} />}
    </button>
  );
}
