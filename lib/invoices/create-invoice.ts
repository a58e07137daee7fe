import type { CreateInvoiceBody, InvoiceView } from '@/lib/api-schema/invoices';
import type { Database } from '@/lib/db/database';
import type { Clock } from '@/lib/shared/time';
import {
  type InsertedInvoice,
  insertPricedInvoice,
  insertUnpricedInvoice,
  type NewInvoice,
  type Pricing,
} from './creation-repository';
import type { InvoiceRow } from './invoice-row';
import { coinRefusal, priceFailure, priceIn } from './price-in';
import { invoiceQuota, quotaError } from './quota';
import { toInvoiceView } from './view';

export interface InvoiceOwner {
  userId: number;
  /** The key that asked, which alone is notified; null from a screen. */
  apiKeyId: number | null;
}

/**
 * Creates an invoice. With a coin it is priced at once and gets a wallet of its own; without, the customer chooses.
 * @throws AppError coin_not_enabled, rate_unavailable, amount_too_small, chain_unavailable, no_address_available,
 *   invoice_rate_exceeded, open_invoices_exceeded
 */
export async function createInvoice(
  db: Database,
  owner: InvoiceOwner,
  { description, externalCode, amountEuro, expiryMinutes, cryptoType }: CreateInvoiceBody,
  clock: Clock,
): Promise<InvoiceView> {
  const createdAt = clock();
  const invoice: NewInvoice = {
    ...owner,
    description,
    externalCode,
    amountEurCents: amountEuro.cents,
    expiryMinutes,
    createdAt,
  };
  if (cryptoType === null) {
    const stored = await insertUnpricedInvoice(db.pool, invoice, invoiceQuota());
    if (stored.refusal) throw quotaError(stored, 'merchant');
    return toInvoiceView(newRow(invoice, null, stored), createdAt);
  }
  const pricing = await priceIn(db, cryptoType, invoice.amountEurCents, clock);
  const inserted = await insertPricedInvoice(db.pool, invoice, pricing, invoiceQuota()).catch((error: unknown) => {
    throw priceFailure(error);
  });
  if (!inserted) throw await coinRefusal(db, cryptoType, createdAt);
  if (inserted.refusal) throw quotaError(inserted, 'merchant');
  return toInvoiceView(newRow(invoice, pricing, inserted), createdAt);
}

function newRow(invoice: NewInvoice, pricing: Pricing | null, inserted: InsertedInvoice): InvoiceRow {
  return {
    ...invoice,
    ...inserted,
    email: null,
    coin: pricing?.coin ?? null,
    amountUnits: pricing?.amountUnits ?? null,
    rate: pricing?.rate ?? null,
    walletReceivedUnits: 0n,
    addressReceivedUnits: 0n,
    confirmations: 0,
    status: 'pending',
    paymentState: 'unpaid',
    amountPaidUnits: 0n,
    amountConfirmedUnits: 0n,
    paidAt: null,
  };
}
