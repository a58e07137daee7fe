import type { Sql } from '@/lib/db/database';
import { type AddressFamily, COIN_INFO, type Coin } from '@/lib/shared/coins';
import type { Basis } from './basis-repository';

/** What one of our addresses should hold, in base units. */
export interface ExpectedBalance {
  poolAddressId: string;
  /** Canonical. */
  address: string;
  /** Everything that came to it on the current chain up to the basis's height. Nothing leaves an address yet. */
  expectedUnits: bigint;
  /** What came before a local chain was replaced: off the books, and perhaps still there. */
  writtenOffUnits: bigint;
}

/** What the records say about some addresses, one statement for all of them. */
export async function selectExpectedBalances(
  sql: Sql,
  { coin, epoch, height }: Basis,
  poolAddressIds: readonly string[],
): Promise<ExpectedBalance[]> {
  const { rows } = await sql.query<{ id: string; address: string; expected: string; writtenOff: string }>({
    name: 'expected-balances',
    text: `SELECT p.id, p.address,
        coalesce(sum(d.amount_units) FILTER (WHERE d.epoch = $3 AND d.block_height <= $4::bigint), 0) AS expected,
        coalesce(sum(d.amount_units) FILTER (WHERE d.epoch < $3), 0) AS "writtenOff"
      FROM pool_address p LEFT JOIN deposit d ON d.pool_address_id = p.id AND d.coin = $1::coin AND d.orphaned_at IS NULL
      WHERE p.id = ANY($2::bigint[]) GROUP BY p.id`,
    values: [coin, poolAddressIds, epoch, height],
  });
  return rows.map(({ id, address, expected, writtenOff }) => ({
    poolAddressId: id,
    address,
    expectedUnits: BigInt(expected),
    writtenOffUnits: BigInt(writtenOff),
  }));
}

/** Whose an address is, for people: its invoice, its wallet, or nobody's. */
export async function describeOwner(sql: Sql, coin: Coin, poolAddressId: string): Promise<string> {
  const { rows } = await sql.query<{ invoiceUuid: string | null; walletUuid: string; walletCoin: Coin }>(
    `SELECT i.uuid AS "invoiceUuid", w.uuid AS "walletUuid", w.coin AS "walletCoin"
     FROM wallet w LEFT JOIN invoice i ON i.wallet_id = w.id WHERE w.pool_address_id = $1`,
    [poolAddressId],
  );
  const [owner] = rows;
  if (!owner) return 'of nobody';
  const network = owner.walletCoin === coin ? '' : `, which takes ${owner.walletCoin}`;
  return owner.invoiceUuid ? `of invoice ${owner.invoiceUuid}${network}` : `of wallet ${owner.walletUuid}${network}`;
}

/** A page of all addresses of the coin's family, by id. */
export async function selectAddressIds(sql: Sql, coin: Coin, afterId: string, limit: number): Promise<string[]> {
  const family: AddressFamily = COIN_INFO[coin].family;
  const { rows } = await sql.query<{ id: string }>(
    'SELECT id FROM pool_address WHERE family = $1::address_family AND id > $2 ORDER BY id LIMIT $3',
    [family, afterId, limit],
  );
  return rows.map((row) => row.id);
}

/** A page of the addresses that may well be paid now, by id: of merchants' own wallets, and of invoices that are open or expired lately. */
export async function selectHotAddressIds(
  sql: Sql,
  coin: Coin,
  page: { closedSince: Date; afterId: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT w.pool_address_id AS id FROM wallet w LEFT JOIN invoice i ON i.wallet_id = w.id
     WHERE w.coin = $1::coin AND w.pool_address_id > $2
       AND (w.type = 'primary' OR i.status = 'pending' OR i.expires_at > $3)
     ORDER BY w.pool_address_id LIMIT $4`,
    [coin, page.afterId, page.closedSince, page.limit],
  );
  return rows.map((row) => row.id);
}

/** Addresses that moved above a height up to the basis's, newest first. */
export async function selectMovedAddressIds(
  sql: Sql,
  { coin, epoch, height }: Basis,
  aboveHeight: bigint,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT pool_address_id AS id FROM deposit
     WHERE coin = $1::coin AND epoch = $2 AND block_height > $3::bigint AND block_height <= $4::bigint
     GROUP BY pool_address_id ORDER BY max(block_height) DESC LIMIT $5`,
    [coin, epoch, aboveHeight, height, limit],
  );
  return rows.map((row) => row.id);
}
