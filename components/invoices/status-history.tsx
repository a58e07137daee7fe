import { Panel } from '@/components/ui/panel';
import { StatusBadge } from '@/components/ui/status-badge';
import type { InvoiceDetailView } from '@/lib/api-schema/invoices';
import { formatDateTime } from '@/lib/shared/format';

/** "Cronologia": every status that the invoice had and since when, oldest first. */
export function StatusHistory({ invoice }: { invoice: InvoiceDetailView }) {
  return (
    <Panel title="Cronologia">
      <ol className="text-sm">
        {invoice.statusHistory.map(({ status, at }) => (
          <li
            key={`${at} ${status}`}
            className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-t border-line px-4 py-2.25 md:px-5"
          >
            <StatusBadge status={status} />
            <time dateTime={at} className="text-ink-2">
              {formatDateTime(at)}
            </time>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
