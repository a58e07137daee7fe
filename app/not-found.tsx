import type { Metadata } from 'next';
import { Brand } from '@/components/layout/brand';
import { PageNotFound } from '@/components/layout/page-not-found';

export const metadata: Metadata = { title: 'Pagina non trovata' };

export default function NotFound() {
  return (
    <main className="flex min-h-dvh flex-col p-4 md:p-8">
      <Brand />
      <PageNotFound className="m-auto" />
    </main>
  );
}
