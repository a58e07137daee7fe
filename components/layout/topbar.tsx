'use client';
import { Bell, Menu as MenuIcon, X } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { ModalFrame } from '@/components/ui/modal-frame';
import type { UserView } from '@/lib/api-schema/auth';
import { Brand } from './brand';
import { Navigation } from './navigation';
import { UserMenu } from './user-menu';

/** Top bar: menu button and brand on phones, bell and user on the right. The bell has no behaviour. */
export function Topbar({ user }: { user: UserView }) {
  const [drawerOpen, setDrawerOpen] = useState(false);
  return (
    <header className="z-10 flex items-center gap-1 bg-canvas max-md:sticky max-md:top-0 max-md:h-14 max-md:border-b max-md:border-line max-md:pr-3 max-md:pl-2 md:h-16 md:px-8">
      <div className="flex items-center gap-1 md:hidden">
        <Button
          variant="ghost"
          iconOnly
          icon={MenuIcon}
          iconSize={20}
          aria-label="Apri il menu"
          aria-haspopup="dialog"
          aria-expanded={drawerOpen}
          onClick={() => setDrawerOpen(true)}
        />
        <Link href="/dashboard" className="flex rounded-sm">
          <Brand />
        </Link>
      </div>
      <div className="ml-auto flex items-center gap-1.5">
        <Button variant="ghost" iconOnly icon={Bell} iconSize={18} aria-label="Notifiche" title="Notifiche" />
        <UserMenu user={user} />
      </div>
      <Drawer open={drawerOpen} onClose={() => setDrawerOpen(false)} />
    </header>
  );
}

interface DrawerProps {
  open: boolean;
  onClose: () => void;
}

/** The phone's menu: slides in from the left; the page behind is locked and inert. */
function Drawer({ open, onClose }: DrawerProps) {
  return (
    <ModalFrame
      open={open}
      onClose={onClose}
      label="Menu"
      className="h-dvh w-[min(17.5rem,84vw)] animate-drawer flex-col bg-canvas px-3 pb-[calc(0.75rem+env(safe-area-inset-bottom))] text-ink shadow-float open:flex md:hidden"
    >
      <div className="mb-2 flex h-14 shrink-0 items-center justify-between pl-2.5">
        <Brand />
        <Button variant="ghost" iconOnly icon={X} iconSize={20} aria-label="Chiudi il menu" onClick={onClose} />
      </div>
      <Navigation touch onChoose={onClose} />
    </ModalFrame>
  );
}
