import { FileX2 } from 'lucide-react';
import { buttonClass } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { MESSAGES } from '@/lib/shared/messages';

interface LoadFailureProps {
  /** The page itself, where trying again makes sense; a plain link, because scripts may not run. */
  retryHref?: string;
}

/** In the place of an invoice that does not exist or could not be loaded. */
export function LoadFailure({ retryHref }: LoadFailureProps) {
  return (
    <div className="rounded-xl border border-line-2 bg-surface">
      <EmptyState
        icon={FileX2}
        level={1}
        title="Impossibile caricare la fattura richiesta"
        action={
          retryHref && (
            <a href={retryHref} className={buttonClass({ variant: 'primary', size: 'lg' })}>
              Riprova
            </a>
          )
        }
      >
        {retryHref ? MESSAGES.errors.service_unavailable : 'La fattura richiesta non è disponibile o è scaduta.'}
      </EmptyState>
    </div>
  );
}
