import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import { enabledCoins } from '@/lib/chains/registry';
import type { Database } from '@/lib/db/database';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { depositsOfInvoice } from './deposits-of-invoice';
import { toPaymentView } from './detail-view';
import { findInvoiceByUuid, selectLiveCoins } from './repository';
import { toPublicInvoiceView } from './view';
import { viewContext } from './view-context';

/**
 * What whoever has the link sees of an invoice.
 * @throws AppError not_found
 */
export async function getPublicInvoice(db: Database, uuid: string, clock: Clock): Promise<PublicInvoiceView> {
  const now = clock();
  const row = await findInvoiceByUuid(db.pool, uuid);
  if (!row) throw new AppError('not_found');
  const live = row.coin ? [] : await selectLiveCoins(db.pool, now);
  const available = enabledCoins().filter((coin) => live.includes(coin));
  const deposits = await depositsOfInvoice(db.pool, row);
  return toPublicInvoiceView(
    row,
    { availableCoins: available, payments: deposits.map(toPaymentView) },
    viewContext(now),
  );
}
