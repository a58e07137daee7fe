import type { ReactNode } from 'react';
import { AppShell } from '@/components/layout/app-shell';
import { QueryProvider } from '@/lib/client/query-client';

export default function AppLayout({ children }: { children: ReactNode }) {
  return (
    <QueryProvider>
      <AppShell>{children}</AppShell>
    </QueryProvider>
  );
}
