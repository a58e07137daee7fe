import type { Sql } from '@/lib/db/database';
import type { Reconciliation } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { Chain } from '@/lib/shared/chains';
import { COIN_INFO, COINS, type Coin } from '@/lib/shared/coins';
import type { ReconcileReport } from './report';

/**
 * Where the rotation over a coin's addresses stands: height and epoch of the last comparison, up to where the two rotations
 * came, and the addresses that did not agree.
 */
export type Rotation = Row<Reconciliation, 'height' | 'epoch' | 'hotAfterId' | 'coldAfterId' | 'suspectIds'>;

const CLAIM = statement<{ coin: Coin; intervalMs: number }>(
  'reconciliation.claim-run',
  `INSERT INTO reconciliation AS r (coin, claimed_at) VALUES ($coin::coin, now())
   ON CONFLICT (coin) DO UPDATE SET claimed_at = now()
     WHERE r.claimed_at IS NULL OR r.claimed_at <= now() - $intervalMs * interval '1 millisecond'`,
);

/**
 * Takes a coin's next comparison, so that of several dispatchers one makes it.
 * @returns false when another took one less than `intervalMs` ago
 */
export async function claimRun(sql: Sql, coin: Coin, intervalMs: number): Promise<boolean> {
  return (await CLAIM.count(sql, { coin, intervalMs })) === 1;
}

const RELEASE = statement<{ coin: Coin }>(
  'reconciliation.release-run',
  'UPDATE reconciliation SET claimed_at = NULL WHERE coin = $coin::coin',
);

/** Gives a comparison that failed back, so that it is tried again before the interval is over. */
export async function releaseRun(sql: Sql, coin: Coin): Promise<void> {
  await RELEASE.count(sql, { coin });
}

const ROTATION = statement<{ coin: Coin }, Rotation>(
  'reconciliation.rotation',
  `SELECT height, epoch, hot_after_id AS "hotAfterId", cold_after_id AS "coldAfterId", suspect_ids AS "suspectIds"
   FROM reconciliation WHERE coin = $coin::coin`,
);

const BEGINNING: Rotation = { height: -1n, epoch: 0, hotAfterId: 0n, coldAfterId: 0n, suspectIds: [] };

/** Where the last comparison of a sample ended; the beginning when there was none. */
export async function selectRotation(sql: Sql, coin: Coin): Promise<Rotation> {
  return (await ROTATION.first(sql, { coin })) ?? BEGINNING;
}

type Run = Rotation &
  Pick<ReconcileReport, 'coin' | 'differenceCount' | 'differenceUnits' | 'completeness' | 'timelinessSeconds'> & {
    finishedAt: Date;
  };

const SAVE = statement<Run>(
  'reconciliation.save-run',
  `INSERT INTO reconciliation (coin, epoch, height, hot_after_id, cold_after_id, suspect_ids, finished_at,
     difference_count, difference_units, completeness, timeliness_seconds)
   VALUES ($coin::coin, $epoch, $height, $hotAfterId, $coldAfterId, $suspectIds, $finishedAt, $differenceCount,
     $differenceUnits, $completeness, $timelinessSeconds)
   ON CONFLICT (coin) DO UPDATE SET epoch = excluded.epoch, height = excluded.height,
     hot_after_id = excluded.hot_after_id, cold_after_id = excluded.cold_after_id, suspect_ids = excluded.suspect_ids,
     finished_at = excluded.finished_at, difference_count = excluded.difference_count,
     difference_units = excluded.difference_units, completeness = excluded.completeness,
     timeliness_seconds = excluded.timeliness_seconds`,
);

/** Keeps what a comparison of a sample found, and where the next one goes on. */
export async function saveRun(
  sql: Sql,
  { coin, differenceCount, differenceUnits, completeness, timelinessSeconds }: ReconcileReport,
  rotation: Rotation,
  finishedAt: Date,
): Promise<void> {
  const found = { coin, differenceCount, differenceUnits, completeness, timelinessSeconds };
  await SAVE.count(sql, { ...rotation, ...found, finishedAt });
}

/** What the last comparison of a coin found, for metrics; amounts are base units. */
export type RunSummary = Row<
  Reconciliation,
  'coin' | 'finishedAt' | 'differenceCount' | 'differenceUnits' | 'completeness' | 'timelinessSeconds'
> & { settlementBacklog: number };

const SUMMARIES = statement<{ coins: readonly Coin[]; chains: readonly Chain[] }, RunSummary>(
  'reconciliation.summaries',
  `SELECT k.coin, r.finished_at AS "finishedAt", coalesce(r.difference_count, 0) AS "differenceCount",
     coalesce(r.difference_units, 0) AS "differenceUnits", coalesce(r.completeness, 1) AS completeness,
     coalesce(r.timeliness_seconds, 0) AS "timelinessSeconds",
     (SELECT count(*)::int FROM settlement_task t WHERE t.chain = k.chain) AS "settlementBacklog"
   FROM unnest($coins::coin[], $chains::chain[]) AS k (coin, chain) JOIN chain_cursor c ON c.chain = k.chain
     LEFT JOIN reconciliation r ON r.coin = k.coin ORDER BY k.coin`,
);

/** The last comparison of each coin on a chain that is read, with the settlements that are due now on that chain. */
export function selectRunSummaries(sql: Sql): Promise<RunSummary[]> {
  return SUMMARIES.all(sql, { coins: COINS, chains: COINS.map((coin) => COIN_INFO[coin].chain) });
}
