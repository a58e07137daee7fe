import type { WalletView } from '@/lib/api-schema/wallets';
import { idColumn } from '@/lib/db/by-id';
import type { Database } from '@/lib/db/database';
import { getDisplayRate } from '@/lib/rates/get-rate';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { findOwnWallet, selectPrimaryWallets, type WalletRow } from './repository';
import { toWalletView } from './view';

/**
 * One of the merchant's own wallets, by number or uuid, with its balance.
 * @throws AppError not_found, also for another merchant's
 */
export async function getWallet(db: Database, userId: number, id: string, clock: Clock): Promise<WalletView> {
  return withRate(db, await requireOwnWallet(db, userId, id), clock);
}

/** The merchant's primary wallets with their balances. */
export async function listPrimaryWallets(db: Database, userId: number, clock: Clock): Promise<WalletView[]> {
  const rows = await selectPrimaryWallets.all(db.pool, { userId });
  return Promise.all(rows.map((row) => withRate(db, row, clock)));
}

/** One of the merchant's own wallets, by number or uuid. @throws AppError not_found, also for another merchant's */
export async function requireOwnWallet(db: Database, userId: number, id: string): Promise<WalletRow> {
  const row = await findOwnWallet[idColumn(id)].first(db.pool, { id, userId });
  if (!row) throw new AppError('not_found');
  return row;
}

async function withRate(db: Database, row: WalletRow, clock: Clock): Promise<WalletView> {
  const rate = await getDisplayRate(db, row.coin, clock);
  return toWalletView(row, rate?.rate ?? null);
}
