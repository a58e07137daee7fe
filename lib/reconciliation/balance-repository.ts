import type { Sql } from '@/lib/db/database';
import type { Invoice, PoolAddress, Wallet } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { AddressFamily, Chain } from '@/lib/shared/chains';
import { COIN_INFO, type Coin, chainOf } from '@/lib/shared/coins';
import type { Basis } from './basis-repository';

/** What one of our addresses should hold of a coin, in base units. */
export type ExpectedBalance = Row<PoolAddress, 'id' | 'address'> & {
  /** What the ledger says lies there at the compared height, and what came by then and is not booked yet. */
  expectedUnits: bigint;
  /** What came before a local chain was replaced: off the books, and perhaps still there. */
  writtenOffUnits: bigint;
};

const EXPECTED = statement<{ coin: Coin; epoch: number; height: bigint; ids: readonly bigint[] }, ExpectedBalance>(
  'reconciliation.expected-balances',
  `SELECT p.id, p.address, coalesce(booked.units, 0) + coalesce(came.unbooked, 0) AS "expectedUnits",
      coalesce(came.before, 0) AS "writtenOffUnits"
    FROM pool_address p
      LEFT JOIN LATERAL (
        SELECT sum(o.amount_units) AS units
        FROM ledger_account a JOIN ledger_posting o ON o.account_id = a.id JOIN ledger_entry e ON e.id = o.entry_id
        WHERE a.pool_address_id = p.id AND a.coin = $coin::coin AND e.epoch = $epoch
          AND (e.height IS NULL OR e.height <= $height::bigint)
      ) booked ON true
      LEFT JOIN LATERAL (
        SELECT sum(d.amount_units) FILTER (WHERE d.epoch = $epoch AND d.posted_at IS NULL AND d.block_height <= $height::bigint)
            AS unbooked,
          sum(d.amount_units) FILTER (WHERE d.epoch < $epoch) AS before
        FROM deposit d WHERE d.pool_address_id = p.id AND d.coin = $coin::coin AND d.orphaned_at IS NULL
      ) came ON true
    WHERE p.id = ANY($ids::bigint[]) ORDER BY p.id`,
  { prepared: true },
);

/**
 * What the records say about some addresses, one statement for all of them.
 * @param height the block at whose state they are compared
 */
export function selectExpectedBalances(
  sql: Sql,
  { coin, epoch }: Basis,
  height: bigint,
  ids: readonly bigint[],
): Promise<ExpectedBalance[]> {
  return EXPECTED.all(sql, { coin, epoch, height, ids });
}

const ADDRESSES = statement<{ ids: readonly bigint[] }, Row<PoolAddress, 'address'>>(
  'reconciliation.addresses',
  'SELECT address FROM pool_address WHERE id = ANY($ids::bigint[]) ORDER BY id',
);

/** Canonical addresses of pool rows. */
export async function selectAddresses(sql: Sql, ids: readonly bigint[]): Promise<string[]> {
  return (await ADDRESSES.all(sql, { ids })).map((row) => row.address);
}

interface Owner {
  invoiceUuid: Row<Invoice, 'uuid'>['uuid'] | null;
  walletUuid: Row<Wallet, 'uuid'>['uuid'];
  walletCoin: Row<Wallet, 'coin'>['coin'];
}

const OWNER = statement<{ poolAddressId: bigint; coin: Coin | null }, Owner>(
  'reconciliation.owner',
  `SELECT i.uuid AS "invoiceUuid", w.uuid AS "walletUuid", w.coin AS "walletCoin"
   FROM wallet w LEFT JOIN invoice i ON i.wallet_id = w.id WHERE w.pool_address_id = $poolAddressId
   ORDER BY w.coin IS DISTINCT FROM $coin::coin, w.id LIMIT 1`,
);

/**
 * Whose an address is, for people: its invoice, its wallet, or nobody's. Of several wallets the one of the coin, or the first.
 * @param coin that the wallet should take; null where it does not matter
 */
export async function describeOwner(sql: Sql, coin: Coin | null, poolAddressId: bigint): Promise<string> {
  const owner = await OWNER.first(sql, { poolAddressId, coin });
  if (!owner) return 'of nobody';
  const network = coin === null || owner.walletCoin === coin ? '' : `, which takes ${owner.walletCoin}`;
  return owner.invoiceUuid ? `of invoice ${owner.invoiceUuid}${network}` : `of wallet ${owner.walletUuid}${network}`;
}

const PAGE = statement<{ family: AddressFamily; afterId: bigint; limit: number }, { id: bigint }>(
  'reconciliation.address-page',
  'SELECT id FROM pool_address WHERE family = $family::address_family AND id > $afterId ORDER BY id LIMIT $limit',
);

const idsOf = (rows: readonly { id: bigint }[]) => rows.map((row) => row.id);

/** A page of all addresses of the coin's family, by id. */
export async function selectAddressIds(sql: Sql, coin: Coin, afterId: bigint, limit: number): Promise<bigint[]> {
  return idsOf(await PAGE.all(sql, { family: chainOf(coin).family, afterId, limit }));
}

interface HotPage {
  closedSince: Date;
  afterId: bigint;
  limit: number;
}

const HOT = statement<HotPage & { coin: Coin }, { id: bigint }>(
  'reconciliation.hot-address-page',
  `SELECT w.pool_address_id AS id FROM wallet w LEFT JOIN invoice i ON i.wallet_id = w.id
   WHERE w.coin = $coin::coin AND w.pool_address_id > $afterId
     AND (w.type = 'primary' OR i.status = 'pending' OR i.expires_at > $closedSince)
   ORDER BY w.pool_address_id LIMIT $limit`,
);

/** A page of the addresses that may well be paid now, by id: of merchants' own wallets, and of invoices that are open or expired lately. */
export async function selectHotAddressIds(sql: Sql, coin: Coin, page: HotPage): Promise<bigint[]> {
  return idsOf(await HOT.all(sql, { ...page, coin }));
}

const MOVED = statement<
  { chain: Chain; coin: Coin; epoch: number; height: bigint; aboveHeight: bigint; limit: number },
  { id: bigint }
>(
  'reconciliation.moved-addresses',
  `SELECT pool_address_id AS id FROM deposit
   WHERE chain = $chain::chain AND coin = $coin::coin AND epoch = $epoch
     AND block_height > $aboveHeight::bigint AND block_height <= $height::bigint
   GROUP BY pool_address_id ORDER BY max(block_height) DESC LIMIT $limit`,
);

/** Addresses that moved above a height up to the basis's, newest first. */
export async function selectMovedAddressIds(
  sql: Sql,
  { coin, epoch, height }: Basis,
  aboveHeight: bigint,
  limit: number,
): Promise<bigint[]> {
  const { chain } = COIN_INFO[coin];
  return idsOf(await MOVED.all(sql, { chain, coin, epoch, height, aboveHeight, limit }));
}
