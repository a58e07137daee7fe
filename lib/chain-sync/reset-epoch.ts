import type { Database } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { queuePendingInvoices } from '@/lib/deposits/repository';
import type { Lease } from '@/lib/deposits/types';
import { bookChainReset } from '@/lib/ledger/book-chain-reset';
import { lockCursor, placeCursor } from './repository';
import type { ChainStart } from './start-cursor';

/**
 * Another chain stands where a devnet's was: a new epoch begins at its head, money of the old one is booked off, and the
 * coin's pending invoices are queued to be closed. Never for a public chain.
 * @returns the new epoch
 * @throws LeaseLostError
 */
export async function resetEpoch(db: Database, lease: Lease, start: ChainStart): Promise<number> {
  return transaction(db, async (sql) => {
    const epoch = (await lockCursor(sql, lease)).epoch + 1;
    await placeCursor(sql, lease, { ...start, epoch });
    await bookChainReset(sql, lease.coin, epoch);
    await queuePendingInvoices(sql, lease.coin);
    return epoch;
  });
}
