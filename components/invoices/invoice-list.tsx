'use client';
import Link from 'next/link';
import { CoinToken } from '@/components/ui/coin-token';
import { EurAmount } from '@/components/ui/eur-amount';
import { StatusBadge } from '@/components/ui/status-badge';
import { Table } from '@/components/ui/table';
import type { InvoiceView } from '@/lib/api-schema/invoices';
import { useWiderThan } from '@/lib/client/use-wider-than';
import { formatDateTime, shortUuid } from '@/lib/shared/format';
import { InvoiceAmount } from './invoice-amount';
import { InvoiceMenu } from './invoice-menu';

/** Width at which the six columns fit, with "Pagata Forzatamente" and an amount of eleven digits. */
const TABLE_PX = 880;

/** A page of invoices: a table, or two-line rows where columns do not fit. Never a sideways scroll. */
export function InvoiceList({ invoices }: { invoices: readonly InvoiceView[] }) {
  const [ref, isWide] = useWiderThan(TABLE_PX);
  return <div ref={ref}>{isWide ? <InvoiceTable invoices={invoices} /> : <InvoiceRows invoices={invoices} />}</div>;
}

const COLUMNS = [
  { key: 'invoice', label: 'Fattura' },
  { key: 'amount', label: 'Importo', align: 'right' },
  { key: 'crypto', label: 'Crypto', align: 'right' },
  { key: 'status', label: 'Stato' },
  { key: 'date', label: 'Data' },
  { key: 'actions', label: 'Azioni', align: 'right', hidden: true },
] as const;

/** The list where there is room for columns. */
function InvoiceTable({ invoices }: { invoices: readonly InvoiceView[] }) {
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

/** The list where columns do not fit: two lines and the status on its own. */
function InvoiceRows({ invoices }: { invoices: readonly InvoiceView[] }) {
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
