import type { Sql } from '@/lib/db/database';
import { statement } from '@/lib/db/statement';
import type { Chain } from '@/lib/shared/chains';

const INSERT = statement<{ walletId: number; chain: Chain }>(
  'deposits.queue-wallet',
  'INSERT INTO settlement_task (wallet_id, chain) VALUES ($walletId, $chain::chain)',
);

/** Queues a wallet's invoice to be decided again. */
export async function queueWallet(sql: Sql, walletId: number, chain: Chain): Promise<void> {
  await INSERT.count(sql, { walletId, chain });
}

const RECENT_BLOCKS = 1_000;

const INSERT_RECENT = statement<{ chain: Chain }>(
  'deposits.queue-recent',
  `INSERT INTO settlement_task (wallet_id, chain)
   SELECT DISTINCT wallet_id, chain FROM deposit
   WHERE chain = $chain::chain AND wallet_id IS NOT NULL
     AND epoch = (SELECT epoch FROM chain_cursor WHERE chain = $chain::chain)
     AND block_height > (SELECT height FROM chain_cursor WHERE chain = $chain::chain) - ${RECENT_BLOCKS}`,
);

/**
 * Queues every wallet with deposits in the last 1,000 blocks for another decision: what a stopped watcher or a changed
 * number of confirmations left undecided is decided now. Deciding twice changes nothing.
 * @returns how many wallets
 */
export function queueRecentDeposits(sql: Sql, chain: Chain): Promise<number> {
  return INSERT_RECENT.count(sql, { chain });
}

const INSERT_PENDING = statement<{ chain: Chain }>(
  'deposits.queue-pending',
  `INSERT INTO settlement_task (wallet_id, chain)
   SELECT i.wallet_id, i.chain FROM invoice i WHERE i.chain = $chain::chain AND i.status = 'pending'`,
);

/** Queues the wallet of every pending invoice on a chain. @returns how many */
export function queuePendingInvoices(sql: Sql, chain: Chain): Promise<number> {
  return INSERT_PENDING.count(sql, { chain });
}

const DELETE = statement<{ taskIds: readonly bigint[] }>(
  'deposits.delete-tasks',
  'DELETE FROM settlement_task WHERE id = ANY($taskIds::bigint[])',
  { prepared: true },
);

/**
 * Takes tasks off the queue, those and no others: one with a lower number may be committed later, with facts that nobody has
 * seen yet.
 */
export async function deleteTasks(sql: Sql, taskIds: readonly bigint[]): Promise<void> {
  await DELETE.count(sql, { taskIds });
}

const DELETE_IDLE = statement<{ chain: Chain }>(
  'deposits.delete-idle-tasks',
  `DELETE FROM settlement_task t WHERE chain = $chain::chain
     AND NOT EXISTS (SELECT 1 FROM invoice i WHERE i.wallet_id = t.wallet_id)`,
);

/** Takes tasks of wallets without an invoice off the queue: there is nothing to decide. */
export async function deleteTasksWithoutInvoice(sql: Sql, chain: Chain): Promise<void> {
  await DELETE_IDLE.count(sql, { chain });
}

const QUEUED = statement<{ chain: Chain; except: readonly number[]; limit: number }, { id: number }>(
  'deposits.queued-invoices',
  `SELECT i.id FROM settlement_task t JOIN invoice i ON i.wallet_id = t.wallet_id
   WHERE t.chain = $chain::chain AND NOT i.id = ANY($except::int[])
     AND NOT EXISTS (SELECT 1 FROM chain_cursor c WHERE c.chain = t.chain AND c.branch_height IS NOT NULL)
   GROUP BY i.id ORDER BY min(t.id) LIMIT $limit`,
);

/**
 * Invoices with tasks, oldest task first, but for those in `except`; none while the branch that a roll-back led to is still
 * being read.
 */
export async function selectQueuedInvoices(
  sql: Sql,
  chain: Chain,
  except: readonly number[],
  limit: number,
): Promise<number[]> {
  return (await QUEUED.all(sql, { chain, except, limit })).map((row) => row.id);
}
