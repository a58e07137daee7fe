import type { Sql } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';

/** Money that arrived where nobody expected it. */
export interface UnattributedRow {
  id: string;
  coin: Coin;
  txHash: string;
  fromAddress: string | null;
  /** Canonical. */
  toAddress: string;
  amountUnits: bigint;
  at: Date;
  /** The merchant whose address it is, on another network; null when nobody has the address. */
  ownerEmail: string | null;
  /** The invoice of that address. */
  invoiceUuid: string | null;
}

/** One page of unattributed deposits, newest first, and how many there are. */
export async function selectUnattributed(
  sql: Sql,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: UnattributedRow[]; total: number }> {
  const { rows } = await sql.query<Omit<UnattributedRow, 'amountUnits'> & { amountUnits: string; total: string }>(
    `SELECT d.id, d.coin, d.tx_hash AS "txHash", d.from_address AS "fromAddress", p.address AS "toAddress",
       d.amount_units AS "amountUnits", coalesce(d.block_time, d.seen_at) AS at, u.email AS "ownerEmail",
       i.uuid AS "invoiceUuid", count(*) OVER () AS total
     FROM deposit d JOIN pool_address p ON p.id = d.pool_address_id
       LEFT JOIN wallet w ON w.pool_address_id = p.id LEFT JOIN user_account u ON u.id = w.user_id
       LEFT JOIN invoice i ON i.wallet_id = w.id
     WHERE d.wallet_id IS NULL AND d.orphaned_at IS NULL ORDER BY d.id DESC LIMIT $1 OFFSET $2`,
    [limit, offset],
  );
  return {
    rows: rows.map(({ total: _, ...row }) => ({ ...row, amountUnits: BigInt(row.amountUnits) })),
    total: Number(rows[0]?.total ?? 0),
  };
}

/** Gives a deposit to a wallet, through the one database function that may. @returns false when it cannot be given */
export async function callAttachDeposit(
  sql: Sql,
  {
    depositId,
    walletId,
    operator,
    note,
  }: { depositId: string; walletId: number; operator: string; note: string | null },
): Promise<boolean> {
  try {
    await sql.query('SELECT attach_deposit($1, $2, $3, $4)', [depositId, walletId, operator, note]);
    return true;
  } catch (error) {
    if (isNoDataFound(error)) return false;
    throw error;
  }
}

/** SQLSTATE with which attach_deposit says that there is nothing to attach, or nowhere. */
function isNoDataFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'P0002';
}

/** The wallet that an operator names: a wallet's number or uuid, or an invoice's uuid. */
export async function findTargetWallet(sql: Sql, name: string): Promise<number | null> {
  const { rows } = await sql.query<{ id: number }>(
    `SELECT id FROM wallet WHERE id::text = $1 OR uuid::text = $1
     UNION SELECT wallet_id FROM invoice WHERE uuid::text = $1 AND wallet_id IS NOT NULL`,
    [name],
  );
  return rows[0]?.id ?? null;
}
