import Link from 'next/link';
import { CoinToken } from '@/components/ui/coin-token';
import { EurAmount } from '@/components/ui/eur-amount';
import { StatusBadge } from '@/components/ui/status-badge';
import { Table } from '@/components/ui/table';
import type { InvoiceView } from '@/lib/api-schema/invoices';
import { formatDateTime, shortUuid } from '@/lib/shared/format';
import { InvoiceAmount } from './invoice-amount';
import { InvoiceMenu } from './invoice-menu';

const COLUMNS = [
  { key: 'invoice', label: 'Fattura' },
  { key: 'amount', label: 'Importo', align: 'right' },
  { key: 'crypto', label: 'Crypto', align: 'right' },
  { key: 'status', label: 'Stato' },
  { key: 'date', label: 'Data' },
  { key: 'actions', label: 'Azioni', align: 'right', hidden: true },
] as const;

/** The list where there is room for columns. */
export function InvoiceTable({ invoices }: { invoices: readonly InvoiceView[] }) {
  return (
    <Table caption="Fatture" columns={COLUMNS}>
      {invoices.map((invoice) => (
        <tr key={invoice.uuid}>
          <td>
            <span className="grid">
              <span className="font-mono font-medium">{shortUuid(invoice.uuid)}</span>
              <span className="max-w-60 truncate text-xs text-ink-3">{invoice.description ?? 'Senza descrizione'}</span>
            </span>
          </td>
          <td className="r font-semibold">
            <EurAmount value={invoice.amountEuro} />
          </td>
          <td className="r">
            <span className="inline-flex items-center gap-2">
              <InvoiceAmount invoice={invoice} />
              {invoice.cryptoType && <CoinToken coin={invoice.cryptoType} size="xs" />}
            </span>
          </td>
          <td>
            <StatusBadge status={invoice.status} paymentState={invoice.paymentState} />
          </td>
          <td className="whitespace-nowrap text-ink-2">{formatDateTime(invoice.createdAt)}</td>
          <td className="r">
            <div className="flex items-center justify-end gap-2">
              <Link
                href={`/invoices/${invoice.uuid}`}
                aria-label={`Visualizza ${shortUuid(invoice.uuid)}`}
                className="link inline-flex min-h-6 items-center"
              >
                Visualizza
              </Link>
              <InvoiceMenu invoice={invoice} />
            </div>
          </td>
        </tr>
      ))}
    </Table>
  );
}
