'use client';
import { Bell, Menu as MenuIcon } from 'lucide-react';
import Link from 'next/link';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import type { UserView } from '@/lib/api-schema/auth';
import { Brand } from './brand';
import { Drawer } from './drawer';
import { UserMenu } from './user-menu';

/** Top bar: menu button and brand on phones, bell and user on the right. The bell has no behaviour (spec section 2). */
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
