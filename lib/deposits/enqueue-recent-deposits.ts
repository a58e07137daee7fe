import type { Database } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';
import { queueRecentDeposits } from './repository';

const RECENT_BLOCKS = 1_000;

/**
 * Queues every wallet with deposits in the last 1,000 blocks for another decision: what a stopped watcher or a changed
 * number of confirmations left undecided is decided now. Deciding twice changes nothing.
 * @returns how many wallets
 */
export async function enqueueRecentDeposits(db: Database, coin: Coin): Promise<number> {
  return queueRecentDeposits(db.pool, coin, RECENT_BLOCKS);
}
