import type { InvoiceDetailView, ResolveInvoiceBody } from '@/lib/api-schema/invoices';
import type { Database } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { queueWallet } from '@/lib/deposits/queue-repository';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { selectDetails, updateResolution } from './detail-repository';
import { INVOICE_EVENTS } from './events';
import { getInvoice, requireOwnInvoice } from './get-invoice';
import { settleAndNotify } from './settle-invoice';
import { loadFacts } from './settlement-facts-repository';
import { lockInvoices, noteEvent } from './settlement-repository';
import { openIssues } from './view';

/**
 * The owner decides on money that does not fit an own invoice: accepts it, marks it as dealt with, or notes something.
 * Accepted late money counts from now on and may pay the invoice at once; with late money that was marked, the policy no
 * longer decides for this invoice.
 * @throws AppError not_found; nothing_to_resolve when no such money waits (a note is always welcome)
 */
export async function resolveInvoice(
  db: Database,
  userId: number,
  id: string,
  { action, note }: ResolveInvoiceBody,
  clock: Clock,
): Promise<InvoiceDetailView> {
  const row = await requireOwnInvoice(db, userId, id);
  const decidesLate = await transaction(db, async (sql) => {
    await lockInvoices(sql, [row.id]);
    const [invoice] = await loadFacts(sql, [row.id]);
    if (!invoice) throw new AppError('not_found');
    // Under the lock: of two that decide at once, the second finds nothing left to decide.
    const issues = openIssues(invoice, await selectDetails(sql, row.id));
    if (action !== 'note' && issues.length === 0) throw new AppError('nothing_to_resolve');
    const decides = action !== 'note' && issues.includes('late');
    const acceptsLate = decides && action === 'accept';
    const now = clock();
    await updateResolution(sql, invoice.id, { resolvedAt: action === 'note' ? null : now, note, acceptsLate });
    // Should this process end before it settles, the watcher does.
    if (decides && invoice.walletId !== null && invoice.priced)
      await queueWallet(sql, invoice.walletId, invoice.priced.chain);
    await noteEvent(sql, invoice.id, action === 'note' ? INVOICE_EVENTS.noted : INVOICE_EVENTS.resolved, now);
    return decides;
  });
  if (decidesLate) await settleAndNotify(db, row.id, clock);
  return getInvoice(db, userId, id, clock);
}
