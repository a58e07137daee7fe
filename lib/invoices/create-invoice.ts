import type { CreateInvoiceBody, InvoiceView } from '@/lib/api-schema/invoices';
import type { Database } from '@/lib/db/database';
import { AppError } from '@/lib/shared/errors';
import { euroToCents } from '@/lib/shared/money';
import { addSeconds, type Clock } from '@/lib/shared/time';
import type { InvoiceRow } from './invoice-row';
import { coinRefusal, priceIn } from './price-in';
import {
  type InsertedInvoice,
  insertPricedInvoice,
  insertUnpricedInvoice,
  type NewInvoice,
  type Pricing,
} from './repository';
import { toInvoiceView } from './view';
import { viewContext } from './view-context';

export interface InvoiceOwner {
  userId: number;
  /** The key that asked, which alone is notified; null from a screen. */
  apiKeyId: number | null;
}

/**
 * Creates an invoice. With a coin it is priced at once and gets a wallet of its own; without, the customer chooses.
 * @throws AppError invalid_request, coin_not_enabled, rate_unavailable, chain_unavailable, no_address_available
 */
export async function createInvoice(
  db: Database,
  owner: InvoiceOwner,
  body: CreateInvoiceBody,
  clock: Clock,
): Promise<InvoiceView> {
  const amountEurCents = euroToCents(body.amountEuro);
  if (amountEurCents === null) throw new AppError('invalid_request');
  const createdAt = clock();
  const invoice: NewInvoice = {
    ...owner,
    description: body.description,
    externalCode: body.externalCode,
    amountEurCents,
    expiryMinutes: body.expiryMinutes,
    createdAt,
    expiresAt: addSeconds(createdAt, body.expiryMinutes * 60),
  };
  const pricing = body.cryptoType ? await priceIn(db, body.cryptoType, amountEurCents, clock) : null;
  const inserted = pricing
    ? await insertPricedInvoice(db.pool, invoice, pricing)
    : await insertUnpricedInvoice(db.pool, invoice);
  if (!inserted) throw await coinRefusal(db, pricing?.coin ?? 'ETH', createdAt);
  return toInvoiceView(newRow(invoice, pricing, inserted), viewContext(createdAt));
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
