import { Plus, ReceiptText } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';

interface NoInvoicesProps {
  isFiltered: boolean;
  onReset: () => void;
}

/** An empty list: none at all, or none that fits the filters. */
export function NoInvoices({ isFiltered, onReset }: NoInvoicesProps) {
  if (isFiltered) {
    return (
      <EmptyState
        icon={ReceiptText}
        title="Nessuna fattura trovata"
        action={<Button onClick={onReset}>Togli i filtri</Button>}
      >
        Nessuna fattura corrisponde alla ricerca.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={ReceiptText}
      title="Ancora nessuna fattura"
      action={
        <ButtonLink href="/invoices/create" icon={Plus}>
          Nuova Fattura
        </ButtonLink>
      }
    >
      Crea la prima: scegli il prezzo in euro, il cliente paga in crypto.
    </EmptyState>
  );
}
