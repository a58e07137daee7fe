import { FileQuestionMark } from 'lucide-react';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';

/** In the place of a page that does not exist, or not for whoever asks. */
export function PageNotFound({ className }: { className?: string }) {
  return (
    <EmptyState
      icon={FileQuestionMark}
      title="Pagina non trovata"
      level={1}
      className={className}
      action={
        <ButtonLink href="/" variant="primary">
          Torna alla home
        </ButtonLink>
      }
    >
      L’indirizzo che hai aperto non porta a nessuna pagina.
    </EmptyState>
  );
}
