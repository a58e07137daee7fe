'use client';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { LoadingScreen } from '@/components/ui/spinner';
import { useSession } from '@/lib/client/session';

/** Sends whoever is signed in to /dashboard, everybody else to /login. */
export function HomeRedirect() {
  const { status } = useSession();
  const router = useRouter();
  useEffect(() => {
    if (status !== 'loading') router.replace(status === 'signed-in' ? '/dashboard' : '/login');
  }, [status, router]);
  return <LoadingScreen />;
}
