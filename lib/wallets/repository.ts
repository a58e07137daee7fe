import { idColumn } from '@/lib/db/by-id';
import type { Sql } from '@/lib/db/database';
import type { AddressFamily, Coin } from '@/lib/shared/coins';

/** A wallet with its money, in base units. */
export interface WalletRow {
  id: number;
  uuid: string;
  coin: Coin;
  type: 'primary' | 'invoice';
  /** Canonical. */
  address: string;
  tag: string | null;
  confirmedUnits: bigint;
  unconfirmedUnits: bigint;
  /** Of a primary wallet: confirmed money on its owner's invoice wallets of the coin, not transferred to it yet. */
  pendingTransferUnits: bigint;
  createdAt: Date;
}

type Units = 'confirmedUnits' | 'unconfirmedUnits' | 'pendingTransferUnits';
type RawWallet = Omit<WalletRow, Units> & Record<Units, string>;

/** Confirmed money is what the ledger holds for the wallet; unconfirmed is what the chain shows and is not booked yet. */
const SELECT = `
  SELECT w.id, w.uuid, w.coin, w.type, w.address, w.tag, w.created_at AS "createdAt",
    coalesce(a.balance, 0) AS "confirmedUnits", coalesce(d.unbooked, 0) AS "unconfirmedUnits",
    coalesce(t.waiting, 0) AS "pendingTransferUnits"
  FROM wallet w
  LEFT JOIN ledger_account a ON a.wallet_id = w.id AND a.kind = 'wallet'
  LEFT JOIN LATERAL (
    SELECT sum(amount_units) AS unbooked FROM deposit JOIN chain_cursor c ON c.coin = deposit.coin AND c.epoch = deposit.epoch
    WHERE wallet_id = w.id AND orphaned_at IS NULL AND posted_at IS NULL
  ) d ON true
  LEFT JOIN LATERAL (
    SELECT sum(ia.balance) AS waiting FROM wallet iw JOIN ledger_account ia ON ia.wallet_id = iw.id AND ia.kind = 'wallet'
    WHERE w.type = 'primary' AND iw.user_id = w.user_id AND iw.coin = w.coin AND iw.type = 'invoice'
  ) t ON true`;

function toWalletRow(raw: RawWallet): WalletRow {
  return {
    ...raw,
    confirmedUnits: BigInt(raw.confirmedUnits),
    unconfirmedUnits: BigInt(raw.unconfirmedUnits),
    pendingTransferUnits: BigInt(raw.pendingTransferUnits),
  };
}

/** A merchant's primary wallets: at most one per coin. */
export async function selectPrimaryWallets(sql: Sql, userId: number): Promise<WalletRow[]> {
  const { rows } = await sql.query<RawWallet>(`${SELECT} WHERE w.user_id = $1 AND w.type = 'primary' ORDER BY w.coin`, [
    userId,
  ]);
  return rows.map(toWalletRow);
}

/** A merchant's own wallet by number or uuid, or null. */
export async function findOwnWallet(sql: Sql, userId: number, id: string): Promise<WalletRow | null> {
  const { rows } = await sql.query<RawWallet>(`${SELECT} WHERE w.${idColumn(id)} = $1 AND w.user_id = $2`, [
    id,
    userId,
  ]);
  return rows[0] ? toWalletRow(rows[0]) : null;
}

/** Takes a free address for a merchant's primary wallet. @returns its id, or null when no watched address is free */
export async function claimPrimaryWallet(
  sql: Sql,
  userId: number,
  coin: Coin,
  family: AddressFamily,
): Promise<number | null> {
  const { rows } = await sql.query<{ id: number }>(
    `SELECT id FROM claim_wallet($1, $2::coin, 'primary', $3::address_family)`,
    [userId, coin, family],
  );
  return rows[0]?.id ?? null;
}

/** A transfer to a wallet. */
export interface WalletTransfer {
  id: string;
  txHash: string;
  amountUnits: bigint;
  confirmations: number;
  isConfirmed: boolean;
  isOrphaned: boolean;
  at: Date;
}

/** The newest transfers to a wallet. */
export async function selectTransfers(sql: Sql, walletId: number, limit: number): Promise<WalletTransfer[]> {
  const { rows } = await sql.query<Omit<WalletTransfer, 'amountUnits'> & { amountUnits: string }>(
    `SELECT d.id, d.tx_hash AS "txHash", d.amount_units AS "amountUnits", d.orphaned_at IS NOT NULL AS "isOrphaned",
       CASE WHEN d.orphaned_at IS NULL AND d.epoch = c.epoch
         THEN greatest(coalesce(c.height - d.block_height + 1, 0), 0) ELSE 0 END::int AS confirmations,
       coalesce(d.orphaned_at IS NULL AND d.block_height <= c.height - c.confirmations + 1, false) AS "isConfirmed",
       coalesce(d.block_time, d.seen_at) AS at
     FROM deposit d JOIN chain_cursor c ON c.coin = d.coin
     WHERE d.wallet_id = $1 ORDER BY d.id DESC LIMIT $2`,
    [walletId, limit],
  );
  return rows.map((row) => ({ ...row, amountUnits: BigInt(row.amountUnits) }));
}
