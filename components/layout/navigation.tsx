'use client';
import { KeyRound, LayoutDashboard, type LucideIcon, ReceiptText, Wallet } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { classNames } from '@/components/ui/class-names';
import { Icon } from '@/components/ui/icon';

interface Destination {
  href: string;
  label: string;
  icon: LucideIcon;
}

const MAIN: readonly Destination[] = [
  { href: '/dashboard', label: 'Dashboard', icon: LayoutDashboard },
  { href: '/wallets', label: 'I miei Wallet', icon: Wallet },
  { href: '/invoices', label: 'Fatture', icon: ReceiptText },
];
const FOOT: readonly Destination[] = [{ href: '/api-keys', label: 'API Keys', icon: KeyRound }];

interface NavigationProps {
  /** Rows for fingers, in the drawer. */
  touch?: boolean;
  /** Runs when a link is chosen. */
  onChoose?: () => void;
}

/** The links of the app, in the sidebar and in the drawer; API Keys stands apart at the foot. */
export function Navigation({ touch = false, onChoose }: NavigationProps) {
  const path = usePathname();
  const link = ({ href, label, icon }: Destination) => {
    const active = path === href || path.startsWith(`${href}/`);
    return (
      <Link
        key={href}
        href={href}
        onClick={onChoose}
        aria-current={active ? 'page' : undefined}
        className={classNames(
          'flex items-center gap-2.5 rounded-md px-2.5 transition-colors',
          touch ? 'h-11 text-[0.9375rem]' : 'h-9',
          active
            ? 'bg-surface font-semibold text-ink shadow-[0_0_0_1px_var(--line),var(--shadow-1)]'
            : 'font-medium text-ink-2 hover:bg-press hover:text-ink',
        )}
      >
        <Icon icon={icon} size={18} className={active ? 'text-accent' : undefined} />
        {label}
      </Link>
    );
  };
  return (
    <nav aria-label="Principale" className="flex min-h-0 flex-1 flex-col gap-0.5 overflow-y-auto -mx-0.5 p-0.5 pt-px">
      {MAIN.map(link)}
      <div className="mt-auto grid gap-0.5 border-t border-line pt-3">{FOOT.map(link)}</div>
    </nav>
  );
}
