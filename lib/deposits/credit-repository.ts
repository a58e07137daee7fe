import type { Sql } from '@/lib/db/database';
import type { ChainCursor, Deposit, DepositCredit, PoolAddress } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { Chain } from '@/lib/shared/chains';
import type { Coin } from '@/lib/shared/coins';

const MISSING = statement<{ chain: Chain; epoch: number; keys: string[] }, { key: string }>(
  'deposits.missing-keys',
  `SELECT key FROM unnest($keys::text[]) AS key WHERE NOT EXISTS (SELECT 1 FROM deposit d
     WHERE d.chain = $chain::chain AND d.epoch = $epoch AND d.transfer_key = key
       AND d.orphaned_at IS NULL AND d.block_height IS NOT NULL)`,
);

/** Of some transfers those that are not stored as mined. */
export async function selectMissingKeys(sql: Sql, chain: Chain, epoch: number, keys: string[]): Promise<Set<string>> {
  return new Set((await MISSING.all(sql, { chain, epoch, keys })).map(({ key }) => key));
}

/** A deposit that an operator made. */
export type Credit = Row<Deposit, 'id' | 'coin' | 'poolAddressId' | 'amountUnits' | 'txHash'> & {
  address: Row<PoolAddress, 'address'>['address'];
  blockHeight: bigint;
  blockHash: string;
  blockTime: Date;
};

const LOCK_CREDITS = statement<{ chain: Chain; epoch: number; poolAddressIds: bigint[] }, Credit>(
  'deposits.lock-credits',
  `SELECT d.id, d.coin, d.pool_address_id AS "poolAddressId", d.amount_units AS "amountUnits", d.tx_hash AS "txHash",
     p.address, d.block_height AS "blockHeight", d.block_hash AS "blockHash", d.block_time AS "blockTime"
   FROM deposit d JOIN pool_address p ON p.id = d.pool_address_id
   WHERE d.chain = $chain::chain AND d.epoch = $epoch AND d.pool_address_id = ANY($poolAddressIds::bigint[])
     AND d.kind = 'credit' AND d.orphaned_at IS NULL ORDER BY d.block_height, d.id FOR UPDATE OF d`,
);

/** Credits on some addresses that count, lowest block first, locked. */
export function lockCredits(sql: Sql, chain: Chain, epoch: number, poolAddressIds: bigint[]): Promise<Credit[]> {
  return LOCK_CREDITS.all(sql, { chain, epoch, poolAddressIds });
}

const REPLACE = statement<{ chain: Chain; ids: bigint[]; at: Date }>(
  'deposits.replace-credits',
  `WITH replaced AS (
     UPDATE deposit SET orphaned_at = $at WHERE id = ANY($ids::bigint[]) RETURNING wallet_id
   )
   INSERT INTO settlement_task (wallet_id, chain) SELECT DISTINCT wallet_id, $chain::chain FROM replaced WHERE wallet_id IS NOT NULL`,
);

/** Credits stop counting: what they stood for was found. Their wallets are queued. */
export async function replaceCreditRows(sql: Sql, chain: Chain, ids: bigint[], at: Date): Promise<void> {
  await REPLACE.count(sql, { chain, ids, at });
}

/** A deposit that takes a credit's place, by its key. */
export interface Successor {
  chain: Chain;
  epoch: number;
  /** The credit. */
  fromId: bigint;
  key: string;
}

const HAND_ON = statement<Successor>(
  'deposits.hand-on-wallet',
  `SELECT attach_deposit(d.id, a.wallet_id, a.operator, a.note) FROM deposit d CROSS JOIN LATERAL (
     SELECT wallet_id, operator, note FROM deposit_attribution WHERE deposit_id = $fromId ORDER BY id DESC LIMIT 1) a
   WHERE d.chain = $chain::chain AND d.epoch = $epoch AND d.transfer_key = $key AND d.wallet_id IS NULL`,
);

/** Gives a deposit without a wallet to whom an operator gave the credit that it replaces, in that operator's name. */
export async function handOnWallet(sql: Sql, successor: Successor): Promise<void> {
  await HAND_ON.count(sql, successor);
}

const HAND_ON_DATE = statement<Successor>(
  'deposits.hand-on-first-booking',
  `UPDATE deposit SET first_posted_at = (SELECT first_posted_at FROM deposit WHERE id = $fromId)
   WHERE chain = $chain::chain AND epoch = $epoch AND transfer_key = $key`,
);

/** Money that takes a credit's place is no news: it was booked when the credit was. */
export async function handOnFirstBooking(sql: Sql, successor: Successor): Promise<void> {
  await HAND_ON_DATE.count(sql, successor);
}

const COPY_LINE = statement<Successor>(
  'deposits.copy-credit-line',
  `INSERT INTO deposit_credit (deposit_id, operator, note, height, balance_units, expected_units, at)
   SELECT d.id, c.operator, c.note, c.height, c.balance_units, c.expected_units, c.at FROM deposit d, deposit_credit c
   WHERE d.chain = $chain::chain AND d.epoch = $epoch AND d.transfer_key = $key AND c.deposit_id = $fromId`,
);

/** What is left of a credit keeps its audit line. */
export async function copyCreditLine(sql: Sql, successor: Successor): Promise<void> {
  await COPY_LINE.count(sql, successor);
}

const LOCK_CURSOR = statement<
  { chain: Chain },
  Row<ChainCursor, 'epoch' | 'height' | 'confirmedHeight' | 'branchHeight'>
>(
  'deposits.lock-cursor',
  `SELECT epoch, height, confirmed_height AS "confirmedHeight", branch_height AS "branchHeight"
   FROM chain_cursor WHERE chain = $chain::chain FOR UPDATE`,
);

/** How far a chain was read; nothing is read or taken back until the transaction ends. @returns null when it never was */
export function lockReadChain(sql: Sql, chain: Chain) {
  return LOCK_CURSOR.first(sql, { chain });
}

interface Explained {
  chain: Chain;
  coin: Coin;
  epoch: number;
  poolAddressId: bigint;
  height: bigint;
}

const EXPLAINED = statement<Explained, { explainedUnits: bigint; writtenOffUnits: bigint; atHeightUnits: bigint }>(
  'deposits.explained-units',
  `SELECT coalesce(sum(amount_units) FILTER (WHERE epoch = $epoch AND (block_height <= $height::bigint OR kind = 'credit')), 0)
       AS "explainedUnits",
     coalesce(sum(amount_units) FILTER (WHERE epoch < $epoch), 0) AS "writtenOffUnits",
     coalesce(sum(amount_units) FILTER (WHERE epoch = $epoch AND block_height = $height::bigint), 0) AS "atHeightUnits"
   FROM deposit WHERE pool_address_id = $poolAddressId AND chain = $chain::chain AND coin = $coin::coin
     AND orphaned_at IS NULL`,
);

/**
 * What the records explain of the money on an address up to a block, and in that very block. Every credit counts, whatever
 * its block: none is made twice because two operators looked at different blocks. Money from before a local chain was
 * replaced is written off, and perhaps still there.
 */
export function selectExplained(sql: Sql, asked: Explained) {
  return EXPLAINED.one(sql, asked);
}

const NOTE = statement<
  Row<DepositCredit, 'operator' | 'note' | 'height' | 'balanceUnits' | 'expectedUnits'> & {
    chain: Chain;
    epoch: number;
    key: string;
  }
>(
  'deposits.note-credit',
  `INSERT INTO deposit_credit (deposit_id, operator, note, height, balance_units, expected_units)
   SELECT id, $operator, $note, $height::bigint, $balanceUnits, $expectedUnits FROM deposit
   WHERE chain = $chain::chain AND epoch = $epoch AND transfer_key = $key`,
);

/** The audit line of a credit: who made it, why, and what proved it. */
export async function noteCredit(sql: Sql, line: Parameters<typeof NOTE.count>[1]): Promise<void> {
  await NOTE.count(sql, line);
}

const FIND_ADDRESS = statement<{ address: string; coin: Coin }, { id: bigint }>(
  'deposits.find-pool-address',
  `SELECT p.id FROM pool_address p JOIN coin_rule r ON r.family = p.family
   WHERE r.coin = $coin::coin AND p.address = $address`,
);

/** Id of the pool row of a canonical address of the coin's family; null when it is not ours. */
export async function findPoolAddress(sql: Sql, coin: Coin, address: string): Promise<bigint | null> {
  return (await FIND_ADDRESS.first(sql, { coin, address }))?.id ?? null;
}
