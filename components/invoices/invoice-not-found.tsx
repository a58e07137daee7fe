import { FileX2 } from 'lucide-react';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';

/** In the place of an invoice that does not exist, or is somebody else's. */
export function InvoiceNotFound() {
  return (
    <EmptyState
      icon={FileX2}
      level={1}
      title="Fattura non trovata"
      className="py-24"
      action={
        <ButtonLink href="/invoices" variant="primary">
          Torna alle fatture
        </ButtonLink>
      }
    >
      La fattura richiesta non esiste o non hai i permessi per visualizzarla.
    </EmptyState>
  );
}
