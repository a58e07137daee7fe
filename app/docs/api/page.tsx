import type { Metadata } from 'next';
import Link from 'next/link';
import { ApiReference } from '@/components/api-keys/api-reference';
import { Brand } from '@/components/layout/brand';
import { PageHead } from '@/components/ui/page-head';
import { publicUrl } from '@/lib/config/env';

export const metadata: Metadata = { title: 'API' };

export default function ApiDocsPage() {
  return (
    <div className="mx-auto max-w-208 px-4 pt-5 pb-16 md:px-8 md:pt-8">
      <header className="mb-8">
        <Link href="/" prefetch={false} className="rounded-sm">
          <Brand />
        </Link>
      </header>
      <main>
        <PageHead title="API" description="Crea fatture dal tuo negozio e ricevi gli aggiornamenti di stato." />
        <ApiReference publicUrl={publicUrl()} />
      </main>
    </div>
  );
}
