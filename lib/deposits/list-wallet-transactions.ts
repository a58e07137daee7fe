import type { TransactionView } from '@/lib/api-schema/wallets';
import type { Database } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';
import { MAX_LISTED } from '@/lib/shared/limits';
import { toShownAmount } from '@/lib/shared/money';
import { requireOwnWallet } from '@/lib/wallets/read-wallets';
import { selectTransfers, type WalletTransfer } from './transaction-repository';

/**
 * The newest transfers of one of the merchant's own wallets; older ones are on the chain.
 * @throws AppError not_found
 */
export async function listWalletTransactions(db: Database, userId: number, id: string): Promise<TransactionView[]> {
  const wallet = await requireOwnWallet(db, userId, id);
  const transfers = await selectTransfers(db.pool, wallet.id, MAX_LISTED);
  return transfers.map((transfer) => toTransactionView(transfer, wallet.coin));
}

/** A transfer in both vocabularies of the API. */
function toTransactionView(transfer: WalletTransfer, coin: Coin): TransactionView {
  const amount = toShownAmount(transfer.amountUnits, coin, 'down');
  return {
    id: transfer.id.toString(),
    hash: transfer.txHash,
    type: 'in',
    direction: 'in',
    amount,
    value: amount,
    confirmations: transfer.confirmations,
    timestamp: transfer.at.toISOString(),
    status: transfer.isOrphaned ? 'orphaned' : transfer.isConfirmed ? 'confirmed' : 'unconfirmed',
  };
}
