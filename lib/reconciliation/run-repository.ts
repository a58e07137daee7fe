import type { Sql } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';
import type { ReconcileReport } from './report';

/** Where the rotation over a coin's addresses stands. */
export interface Rotation {
  /** Height and epoch of the last comparison. */
  height: bigint;
  epoch: number;
  hotAfterId: string;
  coldAfterId: string;
  /** Addresses that did not agree. */
  suspectIds: string[];
}

/**
 * Takes a coin's next comparison, so that of several dispatchers one makes it.
 * @returns false when another took one less than `intervalMs` ago
 */
export async function claimRun(sql: Sql, coin: Coin, intervalMs: number): Promise<boolean> {
  const { rowCount } = await sql.query(
    `INSERT INTO reconciliation AS r (coin, claimed_at) VALUES ($1::coin, now())
     ON CONFLICT (coin) DO UPDATE SET claimed_at = now()
       WHERE r.claimed_at IS NULL OR r.claimed_at <= now() - $2 * interval '1 millisecond'`,
    [coin, intervalMs],
  );
  return rowCount === 1;
}

/** Gives a comparison that failed back, so that it is tried again before the interval is over. */
export async function releaseRun(sql: Sql, coin: Coin): Promise<void> {
  await sql.query('UPDATE reconciliation SET claimed_at = NULL WHERE coin = $1::coin', [coin]);
}

/** Where the last comparison of a sample ended; the beginning when there was none. */
export async function selectRotation(sql: Sql, coin: Coin): Promise<Rotation> {
  const { rows } = await sql.query<Omit<Rotation, 'height'> & { height: string }>(
    `SELECT height, epoch, hot_after_id AS "hotAfterId", cold_after_id AS "coldAfterId", suspect_ids AS "suspectIds"
     FROM reconciliation WHERE coin = $1::coin`,
    [coin],
  );
  const [row] = rows;
  if (!row) return { height: -1n, epoch: 0, hotAfterId: '0', coldAfterId: '0', suspectIds: [] };
  return { ...row, height: BigInt(row.height) };
}

/** Keeps what a comparison of a sample found, and where the next one goes on. */
export async function saveRun(
  sql: Sql,
  report: ReconcileReport,
  { height, epoch, hotAfterId, coldAfterId, suspectIds }: Rotation,
  finishedAt: Date,
): Promise<void> {
  await sql.query(
    `INSERT INTO reconciliation (coin, epoch, height, hot_after_id, cold_after_id, suspect_ids, finished_at,
       difference_count, difference_units, completeness, timeliness_seconds)
     VALUES ($1::coin, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (coin) DO UPDATE SET epoch = excluded.epoch, height = excluded.height,
       hot_after_id = excluded.hot_after_id, cold_after_id = excluded.cold_after_id, suspect_ids = excluded.suspect_ids,
       finished_at = excluded.finished_at, difference_count = excluded.difference_count,
       difference_units = excluded.difference_units, completeness = excluded.completeness,
       timeliness_seconds = excluded.timeliness_seconds`,
    [
      report.coin,
      epoch,
      height,
      hotAfterId,
      coldAfterId,
      suspectIds,
      finishedAt,
      report.differenceCount,
      report.differenceUnits.toString(),
      report.completeness,
      report.timelinessSeconds,
    ],
  );
}

/** What the last comparison of a coin found, for metrics. */
export interface RunSummary {
  coin: Coin;
  finishedAt: Date | null;
  differenceCount: number;
  /** Base units. */
  differenceUnits: string;
  completeness: number;
  timelinessSeconds: number;
  settlementBacklog: number;
}

/** The last comparison of each coin, with the settlements that are due now. */
export async function selectRunSummaries(sql: Sql): Promise<RunSummary[]> {
  const { rows } = await sql.query<RunSummary>(
    `SELECT c.coin, r.finished_at AS "finishedAt", coalesce(r.difference_count, 0) AS "differenceCount",
       coalesce(r.difference_units, 0) AS "differenceUnits", coalesce(r.completeness, 1) AS completeness,
       coalesce(r.timeliness_seconds, 0) AS "timelinessSeconds",
       (SELECT count(*)::int FROM settlement_task t WHERE t.coin = c.coin) AS "settlementBacklog"
     FROM chain_cursor c LEFT JOIN reconciliation r ON r.coin = c.coin ORDER BY c.coin`,
  );
  return rows;
}
