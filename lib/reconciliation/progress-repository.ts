import type { Sql } from '@/lib/db/database';
import type { Deposit, PoolAddress } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import { confirmedInSql, readOf } from '@/lib/deposits/confirmations';
import { MOST_LISTED } from '@/lib/ledger/findings';
import type { Chain } from '@/lib/shared/chains';
import { COIN_INFO, type Coin } from '@/lib/shared/coins';
import type { Basis } from './basis-repository';
import type { InFlight, InFlightState } from './report';

export interface InFlightSummary {
  /** The newest ones. */
  listed: InFlight[];
  count: number;
  units: bigint;
}

type InFlightRow = Row<Deposit, 'txHash' | 'amountUnits'> &
  Row<PoolAddress, 'address'> & { state: InFlightState; count: bigint; total: bigint };

type Compared = { chain: Chain; coin: Coin } & Pick<Basis, 'epoch'>;

const IN_FLIGHT = statement<Compared & Pick<Basis, 'height'>, InFlightRow>(
  'reconciliation.in-flight',
  `SELECT f.state, p.address, f.tx_hash AS "txHash", f.amount_units AS "amountUnits", f.count, f.total
   FROM (
     SELECT CASE WHEN ${confirmedInSql('d', readOf('c'))} IS NOT TRUE THEN 'unconfirmed'
         WHEN d.posted_at IS NULL THEN 'unbooked' ELSE 'not_final' END AS state,
       d.id, d.pool_address_id, d.tx_hash, d.amount_units, count(*) OVER () AS count, sum(d.amount_units) OVER () AS total
     FROM deposit d JOIN chain_cursor c ON c.chain = d.chain
     WHERE d.chain = $chain::chain AND d.coin = $coin::coin AND d.epoch = $epoch AND d.orphaned_at IS NULL
       AND (d.block_height > $height::bigint OR d.posted_at IS NULL)
     ORDER BY d.id DESC LIMIT ${MOST_LISTED}
   ) f JOIN pool_address p ON p.id = f.pool_address_id ORDER BY f.id DESC`,
);

/** Money on the chain that is not compared yet: above the basis's height, or not booked. In the snapshot of the basis. */
export async function selectInFlight(sql: Sql, basis: Basis): Promise<InFlightSummary> {
  const { coin, epoch, height } = basis;
  const rows = await IN_FLIGHT.all(sql, { chain: COIN_INFO[coin].chain, coin, epoch, height });
  return {
    listed: rows.map(({ state, address, txHash, amountUnits }) => ({ state, address, txHash, amountUnits })),
    count: Number(rows[0]?.count ?? 0),
    units: rows[0]?.total ?? 0n,
  };
}

export interface Backlog {
  /** Since when the oldest confirmed deposit waits for its booking, or the oldest wallet for its settlement. */
  oldestAt: Date | null;
  settlementCount: number;
}

const BACKLOG = statement<Compared, Backlog>(
  'reconciliation.backlog',
  `SELECT least(t.oldest_at, (SELECT min(d.block_time) FROM deposit d JOIN chain_cursor c ON c.chain = d.chain
       WHERE d.chain = $chain::chain AND d.coin = $coin::coin AND d.epoch = $epoch AND ${confirmedInSql('d', readOf('c'))}
         AND d.posted_at IS NULL AND d.orphaned_at IS NULL)) AS "oldestAt",
     t.count AS "settlementCount"
   FROM (SELECT min(created_at) AS oldest_at, count(*)::int AS count FROM settlement_task WHERE chain = $chain::chain) t`,
);

/** What is due and not done. In the snapshot of the basis. */
export async function selectBacklog(sql: Sql, { coin, epoch }: Basis): Promise<Backlog> {
  return BACKLOG.one(sql, { chain: COIN_INFO[coin].chain, coin, epoch });
}
