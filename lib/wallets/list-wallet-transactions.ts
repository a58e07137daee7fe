import type { TransactionView } from '@/lib/api-schema/wallets';
import type { Database } from '@/lib/db/database';
import { AppError } from '@/lib/shared/errors';
import { findOwnWallet, selectTransfers } from './repository';
import { toTransactionView } from './view';

/** The list shows the newest ones; older ones are on the chain. */
const NEWEST = 100;

/**
 * The newest transfers of one of the merchant's own wallets.
 * @throws AppError not_found
 */
export async function listWalletTransactions(db: Database, userId: number, id: string): Promise<TransactionView[]> {
  const wallet = await findOwnWallet(db.pool, userId, id);
  if (!wallet) throw new AppError('not_found');
  const transfers = await selectTransfers(db.pool, wallet.id, NEWEST);
  return transfers.map((transfer) => toTransactionView(transfer, wallet.coin));
}
