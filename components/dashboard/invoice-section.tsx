import { Plus, ReceiptText } from 'lucide-react';
import Link from 'next/link';
import { useId } from 'react';
import { InvoiceAmount } from '@/components/invoices/invoice-amount';
import { ButtonLink } from '@/components/ui/button-link';
import { dayTime } from '@/components/ui/day-time';
import { EmptyState } from '@/components/ui/empty-state';
import { EurAmount } from '@/components/ui/eur-amount';
import { SkeletonRows } from '@/components/ui/skeleton';
import { StatusBadge } from '@/components/ui/status-badge';
import type { InvoiceView } from '@/lib/api-schema/invoices';
import { shortUuid } from '@/lib/shared/format';
import { SectionHead } from './section-head';

interface InvoiceSectionProps {
  /** Undefined while they load, or when they could not be loaded. */
  invoices: readonly InvoiceView[] | undefined;
  failed: boolean;
}

/** "Operazioni recenti": the latest invoices. */
export function InvoiceSection({ invoices, failed }: InvoiceSectionProps) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className="max-lg:border-t lg:border-l border-line">
      <SectionHead id={titleId} title="Operazioni recenti" href="/invoices" link="Mostra tutto" />
      {invoices === undefined && (failed ? <LoadFailure /> : <SkeletonRows rows={5} />)}
      {invoices?.length === 0 && (
        <EmptyState
          icon={ReceiptText}
          title="Ancora nessuna fattura"
          level={3}
          className="border-t border-line"
          action={
            <ButtonLink href="/invoices/create" icon={Plus}>
              Nuova Fattura
            </ButtonLink>
          }
        >
          Crea la prima: scegli il prezzo in euro, il cliente paga in crypto.
        </EmptyState>
      )}
      <ul>
        {invoices?.map((invoice) => (
          <li key={invoice.uuid} className="border-t border-line">
            <InvoiceRow invoice={invoice} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/* On phones the badge shares the second line with the reference, so that the description keeps its width. */
function InvoiceRow({ invoice }: { invoice: InvoiceView }) {
  return (
    <Link
      href={`/invoices/${invoice.uuid}`}
      className="grid min-h-15 grid-cols-[minmax(0,1fr)_auto] content-center items-center gap-x-3 px-4 py-2 -outline-offset-2 transition-colors hover:bg-hover md:grid-cols-[minmax(0,1fr)_auto_minmax(8.25rem,auto)] md:px-5"
    >
      <span className="line-clamp-2 font-medium md:self-end">{invoice.description ?? 'Senza descrizione'}</span>
      <EurAmount value={invoice.amountEuro} className="self-start text-right font-medium md:col-start-3 md:self-end" />
      <span className="col-span-2 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 md:contents">
        <span className="text-xs text-ink-3 md:col-start-1 md:row-start-2 md:self-start">
          <span className="font-mono">{shortUuid(invoice.uuid)}</span> ·{' '}
          {dayTime(invoice.createdAt, new Date(invoice.serverTime))}
        </span>
        <span className="md:col-start-2 md:row-span-2 md:row-start-1">
          <StatusBadge status={invoice.status} paymentState={invoice.paymentState} />
        </span>
      </span>
      <span className="self-start text-right text-xs max-md:hidden md:col-start-3 md:row-start-2">
        <InvoiceAmount invoice={invoice} />
      </span>
    </Link>
  );
}

function LoadFailure() {
  return (
    <p className="border-t border-line px-4 py-6 text-ink-2 md:px-5">
      Impossibile caricare le fatture. Riprova più tardi.
    </p>
  );
}
