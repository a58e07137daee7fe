'use client';
import { TriangleAlert } from 'lucide-react';
import { Brand } from '@/components/layout/brand';
import { Button } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';

/** What a person sees when a page breaks: the way to try again, no details. */
export default function ErrorPage({ reset }: { error: Error; reset: () => void }) {
  return (
    <main className="flex min-h-dvh flex-col p-4 md:p-8">
      <Brand />
      <EmptyState
        icon={TriangleAlert}
        title="Qualcosa non ha funzionato"
        level={1}
        className="m-auto"
        action={
          <Button variant="primary" onClick={reset}>
            Riprova
          </Button>
        }
      >
        La pagina non si è caricata. Riprova: se succede ancora, aspetta qualche minuto.
      </EmptyState>
    </main>
  );
}
