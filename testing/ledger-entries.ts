import type { Sql } from '@/lib/db/database';
import type { EntryBlock, LedgerAccount, LedgerEntry } from '@/lib/ledger/entry';
import type { Coin } from '@/lib/shared/coins';

/** The block that tests book at unless they say otherwise. */
export const SOME_BLOCK: EntryBlock = { height: 100n, time: new Date('2026-11-28T10:00:00Z') };

let serial = 0n;

/** An entry as the product would book it, of a fact of its own unless one is given. */
export function makeEntry(
  kind: LedgerEntry['kind'],
  postings: readonly (readonly [LedgerAccount, bigint])[],
  other: Partial<Omit<LedgerEntry, 'kind' | 'postings'>> = {},
): LedgerEntry {
  serial += 1n;
  return {
    kind,
    coin: 'ETH' as Coin,
    fact: 'withdrawal',
    factId: serial,
    booking: 1,
    epoch: 0,
    block: SOME_BLOCK,
    ...other,
    postings: postings.map(([account, amountUnits]) => ({ account, amountUnits })),
  };
}

/** What lies on an address. */
export const custody = (poolAddressId: bigint | string): LedgerAccount => ({
  kind: 'custody',
  poolAddressId: BigInt(poolAddressId),
});

/** What a wallet may spend, has set aside, or lost. */
export const of = (walletId: number, kind: 'wallet' | 'held' | 'reorg_loss' = 'wallet'): LedgerAccount => ({
  kind,
  walletId,
});

export interface Holding {
  coin: Coin;
  kind: LedgerAccount['kind'];
  walletId: number | null;
  poolAddressId: bigint | null;
  /** Sum of the postings, base units. */
  units: bigint;
  /** What the account itself says: 0 where balances are not kept. */
  balance: bigint;
}

/** Every account that anything was ever booked on. */
export async function readHoldings(sql: Sql): Promise<Holding[]> {
  const { rows } = await sql.query<Holding>(
    `SELECT a.coin, a.kind, a.wallet_id AS "walletId", a.pool_address_id AS "poolAddressId", a.balance,
       sum(p.amount_units) AS units
     FROM ledger_account a JOIN ledger_posting p ON p.account_id = a.id GROUP BY a.id ORDER BY a.id`,
  );
  return rows;
}

/** What lies at all places, and what all owners have, of one coin. */
export function sides(holdings: readonly Holding[], coin: Coin = 'ETH'): { custody: bigint; ownership: bigint } {
  const sum = (isPlace: boolean) =>
    holdings
      .filter((holding) => holding.coin === coin && ['custody', 'in_swap'].includes(holding.kind) === isPlace)
      .reduce((total, { units }) => total + units, 0n);
  return { custody: sum(true), ownership: sum(false) };
}
