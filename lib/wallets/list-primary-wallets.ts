import type { WalletView } from '@/lib/api-schema/wallets';
import type { Database } from '@/lib/db/database';
import { getDisplayRate } from '@/lib/rates/get-display-rate';
import type { Clock } from '@/lib/shared/time';
import { selectPrimaryWallets } from './repository';
import { toWalletView } from './view';

/** The merchant's primary wallets with their balances. */
export async function listPrimaryWallets(db: Database, userId: number, clock: Clock): Promise<WalletView[]> {
  const rows = await selectPrimaryWallets(db.pool, userId);
  return Promise.all(
    rows.map(async (row) => toWalletView(row, (await getDisplayRate(db, row.coin, clock))?.rate ?? null)),
  );
}
