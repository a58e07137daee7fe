import { z } from 'zod';
import type { Sql } from './database';

/** A table that is a queue: rows carry status, attempt_count, next_attempt_at, lease_token and lease_expires_at. */
export interface QueueShape {
  table: 'webhook_delivery' | 'outgoing_mail';
  /** Column that keeps when a row was through. */
  doneColumn: 'completed_at' | 'sent_at';
  /** Longer than any attempt; a dead worker's rows are free again after it. */
  leaseSeconds: number;
  /** Query for the `id` and `place` of rows worth a look, the lowest place first. $1 is the time of now. */
  candidates: string;
}

/** What a worker holds while it works on a row. Only the holder of the newest token may write the row's outcome. */
export interface Lease {
  id: string;
  leaseToken: string;
}

/** How an attempt ended: for good, or to be repeated. */
export type Outcome = { status: 'delivered' | 'failed' } | { status: 'pending'; nextAttemptAt: Date };

export interface LeasedQueue {
  /** Takes up to `limit` due rows, no two workers the same, and returns them whole as Postgres gives them. */
  claim(sql: Sql, options: { now: Date; limit: number }): Promise<unknown[]>;
  /** Writes an attempt's outcome. @returns the attempt's number, or null when the lease was lost and nothing was written */
  settle(sql: Sql, lease: Lease, outcome: Outcome, now: Date): Promise<number | null>;
  /** Gives a row back untried, for whoever comes next. */
  release(sql: Sql, lease: Lease): Promise<void>;
}

const SettledSchema = z.object({ attempt_count: z.number().int() });

/** The one implementation of claims with leases and fencing tokens, for every table of that shape. */
export function leasedQueue({ table, doneColumn, leaseSeconds, candidates }: QueueShape): LeasedQueue {
  const claimText = `
    WITH candidate AS (${candidates}), claimed AS (
      SELECT q.id FROM ${table} q JOIN candidate USING (id)
      WHERE q.status = 'pending' AND q.next_attempt_at <= $1 AND (q.lease_expires_at IS NULL OR q.lease_expires_at <= $1)
      ORDER BY candidate.place, q.next_attempt_at LIMIT $2 FOR UPDATE OF q SKIP LOCKED
    )
    UPDATE ${table} q SET lease_token = gen_random_uuid(), lease_expires_at = $1::timestamptz + $3 * interval '1 second'
    FROM claimed WHERE q.id = claimed.id RETURNING q.*`;
  const settleText = `
    UPDATE ${table} SET status = $3, attempt_count = attempt_count + 1, next_attempt_at = coalesce($4, next_attempt_at),
      ${doneColumn} = $5, lease_token = NULL, lease_expires_at = NULL
    WHERE id = $1 AND lease_token = $2 AND status = 'pending' RETURNING attempt_count`;
  const releaseText = `
    UPDATE ${table} SET lease_token = NULL, lease_expires_at = NULL WHERE id = $1 AND lease_token = $2`;
  return {
    async claim(sql, { now, limit }) {
      return (await sql.query(claimText, [now, limit, leaseSeconds])).rows;
    },
    async settle(sql, { id, leaseToken }, outcome, now) {
      const next = outcome.status === 'pending' ? outcome.nextAttemptAt : null;
      const { rows } = await sql.query(settleText, [id, leaseToken, outcome.status, next, next ? null : now]);
      return rows.length === 0 ? null : SettledSchema.parse(rows[0]).attempt_count;
    },
    async release(sql, { id, leaseToken }) {
      await sql.query(releaseText, [id, leaseToken]);
    },
  };
}
