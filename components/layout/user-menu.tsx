'use client';
import { ChevronDown, HandCoins, LogOut, Monitor, Moon, Settings, Sun } from 'lucide-react';
import { Icon } from '@/components/ui/icon';
import { initials } from '@/components/ui/initials';
import { Menu } from '@/components/ui/menu';
import type { UserView } from '@/lib/api-schema/auth';
import { signOut } from '@/lib/client/session';
import { useTheme } from '@/lib/client/use-theme';

/** The user's name (or email without one) and the menu behind it: settings, the operator's page, theme, Logout. */
export function UserMenu({ user }: { user: UserView }) {
  const { theme, setTheme } = useTheme();
  const name = user.name || user.email;
  const avatar = (
    <span
      aria-hidden="true"
      className="grid size-7 shrink-0 place-items-center rounded-full bg-accent-soft text-2xs font-semibold tracking-[0.02em] text-accent"
    >
      {initials(name)}
    </span>
  );
  const choice = (value: 'system' | 'light' | 'dark', label: string, icon: typeof Sun) => ({
    key: value,
    label,
    icon,
    checked: theme === value,
    onSelect: () => setTheme(value),
  });
  return (
    <Menu
      label={`Menu di ${name}`}
      triggerClassName="flex h-control-md max-w-64 items-center gap-2 rounded-md pr-2 pl-1 font-medium transition-colors hover:bg-press"
      trigger={
        <>
          {avatar}
          <span className="truncate max-md:sr-only">{name}</span>
          <Icon icon={ChevronDown} size={14} className="text-ink-3" />
        </>
      }
      header={
        <div className="flex items-center gap-2.5 px-2.5 py-1.5">
          {avatar}
          <span className="min-w-0">
            <span className="block truncate font-medium">{name}</span>
            <span className="block truncate text-xs text-ink-3">{user.email}</span>
          </span>
        </div>
      }
      groups={[
        [
          { key: 'settings', label: 'Impostazioni', icon: Settings, href: '/settings' },
          ...(user.isAdmin
            ? [{ key: 'unattributed', label: 'Fondi non attribuiti', icon: HandCoins, href: '/admin/unattributed' }]
            : []),
        ],
        [
          choice('system', 'Tema di sistema', Monitor),
          choice('light', 'Tema chiaro', Sun),
          choice('dark', 'Tema scuro', Moon),
        ],
        [{ key: 'logout', label: 'Logout', icon: LogOut, onSelect: () => void signOut() }],
      ]}
    />
  );
}
