import { FileX2 } from 'lucide-react';
import { buttonClass } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { MESSAGES } from '@/lib/shared/messages';

/** What is known of the failure, and no more. */
const TEXTS = {
  missing: ['Impossibile caricare la fattura richiesta', 'La fattura richiesta non è disponibile o è scaduta.'],
  unread: [
    'Impossibile caricare la fattura richiesta',
    'In questo momento non riusciamo a leggerla. Riprova tra poco.',
  ],
  busy: ['Impossibile caricare la fattura richiesta', MESSAGES.errors.too_many_requests],
  broken: [
    'Qualcosa non ha funzionato',
    'La pagina non è riuscita a completare l’operazione. Riprova: se succede ancora, aspetta qualche minuto.',
  ],
} as const;

interface LoadFailureProps {
  /** No such invoice; one that could not be read; too many requests; or the page itself failed, whatever it was doing. */
  reason: keyof typeof TEXTS;
  /** The page itself, where trying again makes sense; a plain link, because scripts may not run. */
  retryHref?: string;
}

/** In the place of an invoice that cannot be shown. */
export function LoadFailure({ reason, retryHref }: LoadFailureProps) {
  const [title, text] = TEXTS[reason];
  return (
    <div className="rounded-xl border border-line-2 bg-surface">
      <EmptyState
        icon={FileX2}
        level={1}
        title={title}
        action={
          retryHref && (
            <a href={retryHref} className={buttonClass({ variant: 'primary', size: 'lg' })}>
              Riprova
            </a>
          )
        }
      >
        {text}
      </EmptyState>
    </div>
  );
}
