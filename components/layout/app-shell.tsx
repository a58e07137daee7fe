'use client';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect } from 'react';
import { LoadingScreen } from '@/components/ui/spinner';
import { Toaster } from '@/components/ui/toast';
import { useSession } from '@/lib/client/session';
import { Brand } from './brand';
import { Navigation } from './navigation';
import { Topbar } from './topbar';

/** Frame of the signed-in screens. Nothing of them is drawn before the session is known; without one: /login. */
export function AppShell({ children }: { children: ReactNode }) {
  const session = useSession();
  const router = useRouter();
  const signedOut = session.status === 'signed-out';

  useEffect(() => {
    if (signedOut) router.replace('/login');
  }, [signedOut, router]);

  if (session.status !== 'signed-in') return <LoadingScreen />;
  return (
    <>
      <a
        href="#contenuto"
        className="absolute -top-16 left-4 z-50 rounded-md bg-accent px-3.5 py-2 text-on-accent focus:top-4"
      >
        Vai al contenuto
      </a>
      <div className="grid min-h-dvh grid-cols-1 md:grid-cols-[16rem_minmax(0,1fr)]">
        <Sidebar />
        <div className="min-w-0">
          <Topbar user={session.user} />
          <main id="contenuto" tabIndex={-1} className="max-w-7xl px-4 pt-5 pb-12 outline-none md:px-8 md:pt-3">
            {children}
          </main>
        </div>
      </div>
      <Toaster />
    </>
  );
}

/** The desktop sidebar, 16rem wide, gone below the medium breakpoint. */
function Sidebar() {
  return (
    <aside className="sticky top-0 hidden h-dvh w-64 flex-col border-r border-line px-3 pb-3 md:flex">
      <div className="flex h-16 shrink-0 items-center px-2.5">
        <Link href="/dashboard" className="flex rounded-sm">
          <Brand />
        </Link>
      </div>
      <Navigation />
    </aside>
  );
}
