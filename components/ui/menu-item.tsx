import { Check, type LucideIcon } from 'lucide-react';
import Link from 'next/link';
import { classNames } from './class-names';
import { Icon } from './icon';

export interface MenuEntry {
  key: string;
  label: string;
  icon?: LucideIcon;
  /** Page to go to; else `onSelect` runs. */
  href?: string;
  onSelect?: () => void;
  /** Set for an entry of a choice: one of several is checked. */
  checked?: boolean;
  tone?: 'danger';
  disabled?: boolean;
}

interface MenuItemProps {
  entry: MenuEntry;
  /** Closes the menu and gives the focus back. */
  onDone: () => void;
}

/** One row of a menu. */
export function MenuItem({ entry, onDone }: MenuItemProps) {
  const className = classNames(
    'flex min-h-9 w-full items-center gap-2.5 rounded-md px-2.5 py-1 text-left -outline-offset-2 transition-colors max-md:min-h-11',
    entry.tone === 'danger' ? 'text-danger' : 'text-ink',
    entry.disabled ? 'cursor-not-allowed text-ink-3' : 'hover:bg-press focus-visible:bg-press',
  );
  const content = (
    <>
      {entry.icon && <Icon icon={entry.icon} className={entry.tone ? undefined : 'text-ink-3'} />}
      <span className="min-w-0 flex-1">{entry.label}</span>
      {entry.checked && <Icon icon={Check} className="text-accent" />}
    </>
  );
  if (entry.href) {
    return (
      <Link href={entry.href} role="menuitem" tabIndex={-1} onClick={onDone} className={className}>
        {content}
      </Link>
    );
  }
  const choose = () => {
    onDone();
    entry.onSelect?.();
  };
  const role =
    entry.checked === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': entry.checked };
  return (
    <button
      type="button"
      {...role}
      aria-disabled={entry.disabled || undefined}
      tabIndex={-1}
      onClick={entry.disabled ? undefined : choose}
      className={className}
    >
      {content}
    </button>
  );
}
