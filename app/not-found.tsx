import { FileQuestionMark } from 'lucide-react';
import type { Metadata } from 'next';
import { Brand } from '@/components/layout/brand';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';

export const metadata: Metadata = { title: 'Pagina non trovata' };

export default function NotFound() {
  return (
    <main className="flex min-h-dvh flex-col p-4 md:p-8">
      <Brand />
      <EmptyState
        icon={FileQuestionMark}
        title="Pagina non trovata"
        level={1}
        className="m-auto"
        action={
          <ButtonLink href="/" variant="primary">
            Torna alla home
          </ButtonLink>
        }
      >
        L’indirizzo che hai aperto non porta a nessuna pagina.
      </EmptyState>
    </main>
  );
}
