import type { InvoiceDetailView, PublicInvoiceView } from '@/lib/api-schema/invoices';
import { enabledCoins } from '@/lib/config/chains';
import type { Database } from '@/lib/db/database';
import type { DepositFact } from '@/lib/deposits/deposit';
import { depositsOfWallets } from '@/lib/deposits/deposits-of-wallets';
import { COIN_INFO, type Coin } from '@/lib/shared/coins';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { selectLiveChains } from './creation-repository';
import { selectDetails } from './detail-repository';
import type { InvoiceRow } from './invoice-row';
import { findInvoiceByUuid, findOwnInvoice } from './repository';
import { toInvoiceDetailView, toPublicInvoiceView } from './view';

/** One merchant's own invoice. @throws AppError not_found, also for another merchant's */
export async function requireOwnInvoice(db: Database, userId: number, id: string): Promise<InvoiceRow> {
  const row = await findOwnInvoice(db.pool, userId, id);
  if (!row) throw new AppError('not_found');
  return row;
}

/** An invoice for whoever has its link. @throws AppError not_found */
export async function requireInvoice(db: Database, uuid: string): Promise<InvoiceRow> {
  const row = await findInvoiceByUuid(db.pool, uuid);
  if (!row) throw new AppError('not_found');
  return row;
}

/** One of the merchant's own invoices, by number or uuid, with payments and history. @throws AppError not_found */
export async function getInvoice(db: Database, userId: number, id: string, clock: Clock): Promise<InvoiceDetailView> {
  return describeInvoice(db, await requireOwnInvoice(db, userId, id), clock);
}

/** A merchant's invoice that was read, with payments and history. */
export async function describeInvoice(db: Database, row: InvoiceRow, clock: Clock): Promise<InvoiceDetailView> {
  const [details, deposits] = await Promise.all([selectDetails(db.pool, row.id), depositsOf(db, row)]);
  return toInvoiceDetailView(row, deposits, details, clock());
}

/** What whoever has the link sees of an invoice. @throws AppError not_found */
export async function getPublicInvoice(db: Database, uuid: string, clock: Clock): Promise<PublicInvoiceView> {
  return describePublicInvoice(db, await requireInvoice(db, uuid), clock);
}

/** The same of an invoice that was read. */
export async function describePublicInvoice(db: Database, row: InvoiceRow, clock: Clock): Promise<PublicInvoiceView> {
  const now = clock();
  const [available, deposits] = await Promise.all([availableCoins(db, row, now), depositsOf(db, row)]);
  return toPublicInvoiceView(row, deposits, available, now);
}

/** The coins of which one can be chosen now; none once one is. */
async function availableCoins(db: Database, { coin }: InvoiceRow, now: Date): Promise<Coin[]> {
  if (coin !== null) return [];
  const live = await selectLiveChains(db.pool, now);
  return enabledCoins().filter((enabled) => live.includes(COIN_INFO[enabled].chain));
}

/** What arrived on an invoice's wallet, oldest first; nothing while it has none. */
async function depositsOf(db: Database, { walletId }: InvoiceRow): Promise<DepositFact[]> {
  if (walletId === null) return [];
  return (await depositsOfWallets(db.pool, [walletId])).get(walletId) ?? [];
}
