import type { Sql } from '@/lib/db/database';
import { MOST_LISTED } from '@/lib/ledger/findings';
import type { Basis } from './basis-repository';
import type { InFlight, InFlightState } from './report';

export interface InFlightSummary {
  /** The newest ones. */
  listed: InFlight[];
  count: number;
  units: bigint;
}

/** Money on the chain that is not compared yet: above the basis's height, or not booked. */
export async function selectInFlight(
  sql: Sql,
  { coin, epoch, height, confirmedHeight }: Basis,
): Promise<InFlightSummary> {
  const { rows } = await sql.query<{
    state: InFlightState;
    address: string;
    txHash: string;
    units: string;
    count: string;
    total: string;
  }>(
    `SELECT CASE WHEN d.block_height IS NULL OR d.block_height > $4::bigint THEN 'unconfirmed'
         WHEN d.posted_at IS NULL THEN 'unbooked' ELSE 'not_final' END AS state,
       p.address, d.tx_hash AS "txHash", d.amount_units AS units, count(*) OVER () AS count,
       sum(d.amount_units) OVER () AS total
     FROM deposit d JOIN pool_address p ON p.id = d.pool_address_id
     WHERE d.coin = $1::coin AND d.epoch = $2 AND d.orphaned_at IS NULL
       AND (d.block_height > $3::bigint OR d.posted_at IS NULL)
     ORDER BY d.id DESC LIMIT ${MOST_LISTED}`,
    [coin, epoch, height, confirmedHeight],
  );
  return {
    listed: rows.map(({ state, address, txHash, units }) => ({ state, address, txHash, amountUnits: BigInt(units) })),
    count: Number(rows[0]?.count ?? 0),
    units: BigInt(rows[0]?.total ?? 0),
  };
}

export interface Backlog {
  /** Since when the oldest confirmed deposit waits for its booking, or the oldest wallet for its settlement. */
  oldestAt: Date | null;
  settlementCount: number;
}

/** What is due and not done. */
export async function selectBacklog(sql: Sql, { coin, epoch, confirmedHeight }: Basis): Promise<Backlog> {
  const { rows } = await sql.query<Backlog>(
    `SELECT least(t.oldest_at, (SELECT min(d.block_time) FROM deposit d WHERE d.coin = $1::coin AND d.epoch = $2
         AND d.block_height <= $3::bigint AND d.posted_at IS NULL AND d.orphaned_at IS NULL)) AS "oldestAt",
       t.count AS "settlementCount"
     FROM (SELECT min(created_at) AS oldest_at, count(*)::int AS count FROM settlement_task WHERE coin = $1::coin) t`,
    [coin, epoch, confirmedHeight],
  );
  return rows[0] ?? { oldestAt: null, settlementCount: 0 };
}
