import type { WalletView } from '@/lib/api-schema/wallets';
import type { Database } from '@/lib/db/database';
import { getDisplayRate } from '@/lib/rates/get-display-rate';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { findOwnWallet } from './repository';
import { toWalletView } from './view';

/**
 * One of the merchant's own wallets, by number or uuid, with its balance.
 * @throws AppError not_found, also for another merchant's
 */
export async function getWallet(db: Database, userId: number, id: string, clock: Clock): Promise<WalletView> {
  const row = await findOwnWallet(db.pool, userId, id);
  if (!row) throw new AppError('not_found');
  const rate = await getDisplayRate(db, row.coin, clock);
  return toWalletView(row, rate?.rate ?? null);
}
