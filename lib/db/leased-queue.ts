import type { Sql } from './database';
import { statement } from './statement';

/** So long a claimed row belongs to its worker. Every attempt ends well before: a dead worker's rows are free again after it. */
const LEASE_SECONDS = 30;

/** A table that is a queue: rows carry status, attempt_count, next_attempt_at, lease_token and lease_expires_at. */
export interface QueueShape {
  /** Begins the names of the queue's statements: `<domain>.queue`. */
  name: string;
  table: 'webhook_delivery' | 'outgoing_mail';
  /** Column that keeps when a row was through. */
  doneColumn: 'completed_at' | 'sent_at';
  /** Query for the `id` and `place` of rows worth a look now, the lowest place first. */
  candidates: string;
  /** What a claim returns of a row `q` beside its lease, e.g. `q.url`. */
  columns: string;
  /** A table whose row belongs to each row `q`, if `columns` names any of it. */
  beside?: { table: string; on: string };
}

/** What a worker holds while it works on a row. Only the holder of the newest token may write the row's outcome. */
export interface Lease<Id extends bigint | string = bigint | string> {
  id: Id;
  leaseToken: string;
  /** Attempts that were completed before. */
  attemptCount: number;
}

/** How an attempt ended: for good, or to be repeated. */
export type Outcome = { status: 'delivered' | 'failed' } | { status: 'pending'; nextAttemptAt: Date };

export interface LeasedQueue<Claimed extends Lease> {
  /** Takes up to `limit` due rows for 30 s, no two workers the same. The database's time decides. */
  claim(sql: Sql, options: { limit: number }): Promise<Claimed[]>;
  /** Writes an attempt's outcome. @returns the attempt's number, or null when the lease was lost and nothing was written */
  settle(sql: Sql, lease: Lease, outcome: Outcome, now: Date): Promise<number | null>;
  /** Gives a row back untried, for whoever comes next. */
  release(sql: Sql, lease: Lease): Promise<void>;
}

interface SettleParams {
  id: bigint | string;
  leaseToken: string;
  status: Outcome['status'];
  nextAttemptAt: Date | null;
  doneAt: Date | null;
}

/** The one implementation of claims with leases and fencing tokens, for every table of that shape. */
export function leasedQueue<Claimed extends Lease>({
  name,
  table,
  doneColumn,
  candidates,
  columns,
  beside,
}: QueueShape): LeasedQueue<Claimed> {
  const claimDue = statement<{ limit: number }, Claimed>(
    `${name}.claim`,
    `WITH candidate AS (${candidates}), claimed AS (
       SELECT q.id FROM ${table} q JOIN candidate USING (id)
       WHERE q.status = 'pending' AND q.next_attempt_at <= now() AND (q.lease_expires_at IS NULL OR q.lease_expires_at <= now())
       ORDER BY candidate.place, q.next_attempt_at LIMIT $limit FOR UPDATE OF q SKIP LOCKED
     )
     UPDATE ${table} q SET lease_token = gen_random_uuid(),
       lease_expires_at = now() + interval '${LEASE_SECONDS} seconds'
     FROM claimed${beside ? `, ${beside.table}` : ''} WHERE q.id = claimed.id${beside ? ` AND ${beside.on}` : ''}
     RETURNING q.id, q.lease_token AS "leaseToken", q.attempt_count AS "attemptCount", ${columns}`,
    { prepared: true },
  );
  const settleOne = statement<SettleParams, { number: number }>(
    `${name}.settle`,
    `UPDATE ${table} SET status = $status, attempt_count = attempt_count + 1,
       next_attempt_at = coalesce($nextAttemptAt, next_attempt_at), ${doneColumn} = $doneAt, lease_token = NULL,
       lease_expires_at = NULL
     WHERE id = $id AND lease_token = $leaseToken AND status = 'pending' RETURNING attempt_count AS number`,
    { prepared: true },
  );
  const releaseOne = statement<Pick<SettleParams, 'id' | 'leaseToken'>>(
    `${name}.release`,
    `UPDATE ${table} SET lease_token = NULL, lease_expires_at = NULL WHERE id = $id AND lease_token = $leaseToken`,
  );
  return {
    claim: (sql, options) => claimDue.all(sql, options),
    async settle(sql, { id, leaseToken }, outcome, now) {
      const nextAttemptAt = outcome.status === 'pending' ? outcome.nextAttemptAt : null;
      const doneAt = nextAttemptAt ? null : now;
      const settled = await settleOne.first(sql, { id, leaseToken, status: outcome.status, nextAttemptAt, doneAt });
      return settled?.number ?? null;
    },
    async release(sql, { id, leaseToken }) {
      await releaseOne.count(sql, { id, leaseToken });
    },
  };
}
