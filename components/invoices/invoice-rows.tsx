import Link from 'next/link';
import { EurAmount } from '@/components/ui/eur-amount';
import { StatusBadge } from '@/components/ui/status-badge';
import type { InvoiceView } from '@/lib/api-schema/invoices';
import { formatDateTime, shortUuid } from '@/lib/shared/format';
import { InvoiceAmount } from './invoice-amount';
import { InvoiceMenu } from './invoice-menu';

/** The list where columns do not fit: two lines and the status on its own. */
export function InvoiceRows({ invoices }: { invoices: readonly InvoiceView[] }) {
  return (
    <ul>
      {invoices.map((invoice) => (
        <li
          key={invoice.uuid}
          className="relative grid grid-cols-[minmax(0,1fr)_max-content] items-baseline gap-x-3 gap-y-0.5 border-t border-line px-4 py-3.5 transition-colors first:border-t-0 hover:bg-hover md:px-5"
        >
          <span className="line-clamp-2 font-medium">{invoice.description ?? 'Senza descrizione'}</span>
          <EurAmount value={invoice.amountEuro} className="text-right font-semibold" />
          <span className="text-xs text-ink-3">
            <span className="font-mono">{shortUuid(invoice.uuid)}</span> · {formatDateTime(invoice.createdAt)}
          </span>
          <span className="text-right text-xs">
            <InvoiceAmount invoice={invoice} />
          </span>
          <div className="col-span-2 mt-1 flex items-center gap-2 text-sm">
            <span className="mr-auto">
              <StatusBadge status={invoice.status} paymentState={invoice.paymentState} />
            </span>
            <Link
              href={`/invoices/${invoice.uuid}`}
              aria-label={`Visualizza ${shortUuid(invoice.uuid)}`}
              className="link inline-flex min-h-6 items-center after:absolute after:inset-0"
            >
              Visualizza
            </Link>
            <div className="relative z-1">
              <InvoiceMenu invoice={invoice} />
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
}
