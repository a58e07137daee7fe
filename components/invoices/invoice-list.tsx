'use client';
import type { InvoiceView } from '@/lib/api-schema/invoices';
import { useWiderThan } from '@/lib/client/use-wider-than';
import { InvoiceRows } from './invoice-rows';
import { InvoiceTable } from './invoice-table';

/** Width at which the six columns fit, with "Pagata Forzatamente" and an amount of eleven digits. */
const TABLE_PX = 880;

/** A page of invoices: a table, or two-line rows where columns do not fit. Never a sideways scroll. */
export function InvoiceList({ invoices }: { invoices: readonly InvoiceView[] }) {
  const [ref, isWide] = useWiderThan(TABLE_PX);
  return <div ref={ref}>{isWide ? <InvoiceTable invoices={invoices} /> : <InvoiceRows invoices={invoices} />}</div>;
}
