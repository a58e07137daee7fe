import type { Sql } from '@/lib/db/database';
import { statement } from '@/lib/db/statement';
import type { Chain } from '@/lib/shared/chains';

/** An invoice that is due to be settled. */
export interface DueInvoice {
  id: number;
  /** How often in a row its settlement failed before. */
  failures: number;
}

const QUEUED = statement<{ chain: Chain; except: readonly number[]; limit: number }, DueInvoice>(
  'invoices.queued',
  `SELECT i.id, coalesce(f.attempts, 0) AS failures FROM settlement_task t JOIN invoice i ON i.wallet_id = t.wallet_id
     LEFT JOIN settlement_failure f ON f.invoice_id = i.id
   WHERE t.chain = $chain::chain AND (f.next_try_at IS NULL OR f.next_try_at <= now()) AND NOT i.id = ANY($except::int[])
     AND NOT EXISTS (SELECT 1 FROM chain_cursor c WHERE c.chain = t.chain AND c.branch_height IS NOT NULL)
   GROUP BY i.id, f.attempts ORDER BY min(t.id) LIMIT $limit`,
);

/**
 * Invoices with settlement tasks whose turn it is, oldest task first, but for those in `except`; none while the branch that a
 * roll-back led to is still being read.
 */
export function selectQueued(
  sql: Sql,
  chain: Chain,
  { except, limit }: { except: readonly number[]; limit: number },
): Promise<DueInvoice[]> {
  return QUEUED.all(sql, { chain, except, limit });
}

const RETRIABLE = statement<{ limit: number }, DueInvoice>(
  'invoices.retriable',
  `SELECT i.id, f.attempts AS failures FROM settlement_failure f JOIN invoice i ON i.id = f.invoice_id
   WHERE f.next_try_at <= now() ORDER BY f.next_try_at LIMIT $limit`,
);

/** Invoices whose settlement failed, for whatever reason they were due then, and whose next try is due. */
export function selectRetriable(sql: Sql, limit: number): Promise<DueInvoice[]> {
  return RETRIABLE.all(sql, { limit });
}

const NOTE = statement<{ invoiceId: number; waitSeconds: number }>(
  'invoices.note-failure',
  `INSERT INTO settlement_failure AS f (invoice_id, next_try_at)
   VALUES ($invoiceId, now() + $waitSeconds::int * interval '1 s')
   ON CONFLICT (invoice_id) DO UPDATE SET attempts = f.attempts + 1, next_try_at = excluded.next_try_at`,
);

/** Notes that an invoice could not be settled, and that it is not tried again for so long. */
export async function noteFailure(sql: Sql, invoiceId: number, waitSeconds: number): Promise<void> {
  await NOTE.count(sql, { invoiceId, waitSeconds });
}

const DELETE = statement<{ invoiceIds: readonly number[] }>(
  'invoices.forget-failures',
  'DELETE FROM settlement_failure WHERE invoice_id = ANY($invoiceIds::int[])',
);

/** Forgets the failures of invoices that can be settled again. */
export async function forgetFailures(sql: Sql, invoiceIds: readonly number[]): Promise<void> {
  await DELETE.count(sql, { invoiceIds });
}

const COUNT = statement<object, { failing: number }>(
  'invoices.count-failing',
  'SELECT count(*)::int AS failing FROM settlement_failure',
);

/** How many invoices cannot be settled now, for the operator. */
export async function countFailing(sql: Sql): Promise<number> {
  return (await COUNT.one(sql, {})).failing;
}
