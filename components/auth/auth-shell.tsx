'use client';
import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect } from 'react';
import { Brand } from '@/components/layout/brand';
import { LoadingScreen } from '@/components/ui/spinner';
import { useSession } from '@/lib/client/session';
import { AuthPicture } from './auth-picture';

/** Frame of login and registration; whoever is signed in goes to /dashboard, also right after signing in. */
export function AuthShell({ children }: { children: ReactNode }) {
  const session = useSession();
  const router = useRouter();
  const signedIn = session.status === 'signed-in';

  useEffect(() => {
    if (signedIn) router.replace('/dashboard');
  }, [signedIn, router]);

  if (session.status !== 'signed-out') return <LoadingScreen />;
  return (
    <div className="grid min-h-dvh md:grid-cols-[minmax(0,1fr)_minmax(0,1.15fr)]">
      <main className="grid grid-cols-[minmax(0,22rem)] grid-rows-[auto_1fr_auto] justify-center bg-surface px-6 py-10">
        <Brand />
        <div className="self-center py-8">{children}</div>
        <p className="text-sm text-ink-3">Ospitato sul tuo server. Le chiavi restano tue.</p>
      </main>
      <AuthPicture />
    </div>
  );
}
