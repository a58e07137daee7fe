import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import type { Database } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { priceInvoice } from './creation-repository';
import { describePublicInvoice, requireInvoice } from './get-invoice';
import { coinRefusal, priceFailure, priceIn } from './price-in';
import { invoiceQuota, quotaError } from './quota';

/**
 * Fixes the coin of a pending invoice that has none: rate, amount due and wallet are set once and for all. Choosing the
 * coin that it has already is no error, so that a repeated request does no harm.
 * @throws AppError not_found, invoice_not_payable, coin_already_chosen, coin_not_enabled, rate_unavailable,
 *   chain_unavailable, no_address_available, invoice_rate_exceeded
 */
export async function chooseCoin(db: Database, uuid: string, coin: Coin, clock: Clock): Promise<PublicInvoiceView> {
  const before = await requireInvoice(db, uuid);
  if (before.coin === null) {
    const now = clock();
    if (before.status !== 'pending' || before.expiresAt <= now) throw new AppError('invoice_not_payable');
    const pricing = await priceIn(db, coin, before.amountEurCents, clock);
    const priced = await priceInvoice(db.pool, uuid, pricing, { now, quota: invoiceQuota() }).catch(
      (error: unknown) => {
        throw priceFailure(error);
      },
    );
    if (typeof priced === 'object') throw quotaError(priced, 'payer');
    if (!priced) await explainRefusal(db, uuid, coin, now);
  }
  const row = await requireInvoice(db, uuid);
  if (row.coin !== coin) throw new AppError('coin_already_chosen');
  return describePublicInvoice(db, row, clock);
}

async function explainRefusal(db: Database, uuid: string, coin: Coin, now: Date): Promise<void> {
  const row = await requireInvoice(db, uuid);
  if (row.coin !== null) return;
  if (row.status !== 'pending') throw new AppError('invoice_not_payable');
  throw await coinRefusal(db, coin, now);
}
