import type { Sql } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';

/** A deposit as the ledger needs it. */
export interface BookableDeposit {
  id: string;
  coin: Coin;
  walletId: number | null;
  amountUnits: bigint;
  /** How often it was booked before. */
  bookings: number;
}

const COLUMNS = 'id, coin, wallet_id AS "walletId", amount_units AS "amountUnits", bookings';

type Raw = Omit<BookableDeposit, 'amountUnits'> & { amountUnits: string };
const toBookable = (raw: Raw): BookableDeposit => ({ ...raw, amountUnits: BigInt(raw.amountUnits) });

/** Confirmed deposits that are not in the ledger, locked. */
export async function lockConfirmedUnbooked(
  sql: Sql,
  { coin, epoch, height }: { coin: Coin; epoch: number; height: bigint },
): Promise<BookableDeposit[]> {
  const { rows } = await sql.query<Raw>({
    name: 'confirmed-unbooked',
    text: `SELECT ${COLUMNS} FROM deposit WHERE coin = $1::coin AND epoch = $2 AND block_height <= $3
      AND posted_at IS NULL AND orphaned_at IS NULL ORDER BY id FOR UPDATE`,
    values: [coin, epoch, height],
  });
  return rows.map(toBookable);
}

/** Booked deposits whose block is gone, locked. */
export async function lockLostBooked(sql: Sql, coin: Coin, epoch: number): Promise<BookableDeposit[]> {
  const { rows } = await sql.query<Raw>(
    `SELECT ${COLUMNS} FROM deposit WHERE coin = $1::coin AND epoch = $2
       AND posted_at IS NOT NULL AND orphaned_at IS NOT NULL ORDER BY id FOR UPDATE`,
    [coin, epoch],
  );
  return rows.map(toBookable);
}

const idsOf = (deposits: readonly BookableDeposit[]) => deposits.map((deposit) => deposit.id);

/** Notes that deposits are in the ledger now. */
export async function markBooked(sql: Sql, deposits: readonly BookableDeposit[], at: Date): Promise<void> {
  await sql.query('UPDATE deposit SET posted_at = $2, bookings = bookings + 1 WHERE id = ANY($1::bigint[])', [
    idsOf(deposits),
    at,
  ]);
}

/** Notes that deposits are no longer in the ledger. */
export async function markUnbooked(sql: Sql, deposits: readonly BookableDeposit[]): Promise<void> {
  await sql.query('UPDATE deposit SET posted_at = NULL WHERE id = ANY($1::bigint[])', [idsOf(deposits)]);
}
