import type { Sql } from '@/lib/db/database';
import type { Deposit } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { Chain } from '@/lib/shared/chains';
import { confirmedInSql } from './confirmations';

/** A deposit as the ledger needs it; `bookings` is how often it was booked before. */
export type BookableDeposit = Row<
  Deposit,
  'id' | 'coin' | 'walletId' | 'poolAddressId' | 'amountUnits' | 'bookings' | 'epoch' | 'blockHeight' | 'blockTime'
>;

const COLUMNS = `id, coin, wallet_id AS "walletId", pool_address_id AS "poolAddressId", amount_units AS "amountUnits", bookings,
  epoch, block_height AS "blockHeight", block_time AS "blockTime"`;

/** Deposits in `confirmedHeight` and below count, if those that need more have it at `height`. */
export interface ConfirmedUpTo {
  chain: Chain;
  epoch: number;
  height: bigint;
  confirmedHeight: bigint;
}

const LOCK_UNBOOKED = statement<ConfirmedUpTo, BookableDeposit>(
  'deposits.lock-unbooked',
  `SELECT ${COLUMNS} FROM deposit d WHERE chain = $chain::chain AND epoch = $epoch
     AND ${confirmedInSql('d', { height: '$height', confirmedHeight: '$confirmedHeight' })}
     AND posted_at IS NULL AND orphaned_at IS NULL ORDER BY id FOR UPDATE`,
  { prepared: true },
);

/** Confirmed deposits that are not in the ledger, locked. */
export function lockConfirmedUnbooked(sql: Sql, upTo: ConfirmedUpTo): Promise<BookableDeposit[]> {
  return LOCK_UNBOOKED.all(sql, upTo);
}

const LOCK_LOST = statement<{ chain: Chain; epoch: number }, BookableDeposit>(
  'deposits.lock-lost',
  `SELECT ${COLUMNS} FROM deposit WHERE chain = $chain::chain AND epoch = $epoch
     AND posted_at IS NOT NULL AND orphaned_at IS NOT NULL ORDER BY id FOR UPDATE`,
);

/** Booked deposits whose block is gone, locked. */
export function lockLostBooked(sql: Sql, chain: Chain, epoch: number): Promise<BookableDeposit[]> {
  return LOCK_LOST.all(sql, { chain, epoch });
}

const idsOf = (deposits: readonly BookableDeposit[]) => deposits.map((deposit) => deposit.id);

const MARK_BOOKED = statement<{ ids: bigint[]; at: Date }>(
  'deposits.mark-booked',
  `UPDATE deposit SET posted_at = $at, first_posted_at = coalesce(first_posted_at, $at), bookings = bookings + 1
    WHERE id = ANY($ids::bigint[])`,
);

/** Notes that deposits are in the ledger now. */
export async function markBooked(sql: Sql, deposits: readonly BookableDeposit[], at: Date): Promise<void> {
  await MARK_BOOKED.count(sql, { ids: idsOf(deposits), at });
}

const MARK_UNBOOKED = statement<{ ids: bigint[] }>(
  'deposits.mark-unbooked',
  'UPDATE deposit SET posted_at = NULL WHERE id = ANY($ids::bigint[])',
);

/** Notes that deposits are no longer in the ledger. */
export async function markUnbooked(sql: Sql, deposits: readonly BookableDeposit[]): Promise<void> {
  await MARK_UNBOOKED.count(sql, { ids: idsOf(deposits) });
}
