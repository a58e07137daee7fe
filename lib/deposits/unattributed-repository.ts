import type { Sql } from '@/lib/db/database';
import type { Deposit, Invoice, PoolAddress, User, Wallet } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';

/** Money that arrived where nobody expected it. `at` is the time of its block, or of our first sight. */
export type UnattributedRow = Row<Deposit, 'id' | 'coin' | 'txHash' | 'fromAddress' | 'amountUnits'> & {
  toAddress: Row<PoolAddress, 'address'>['address'];
  at: Date;
  /** The merchant whose address it is, on another network; null when nobody has the address. */
  ownerEmail: Row<User, 'email'>['email'] | null;
  /** The invoice of that address. */
  invoiceUuid: Row<Invoice, 'uuid'>['uuid'] | null;
};

/** Of a deposit's address the wallet for which it was taken; others of the same merchant may have come to it in other coins. */
const FIRST_WALLET = 'SELECT * FROM wallet WHERE pool_address_id = d.pool_address_id ORDER BY id LIMIT 1';

const OF_NOBODY = `FROM deposit d JOIN chain_cursor c ON c.chain = d.chain AND c.epoch = d.epoch
  WHERE d.wallet_id IS NULL AND d.orphaned_at IS NULL`;

const SELECT_PAGE = statement<{ limit: number; offset: number }, UnattributedRow & { total: bigint }>(
  'deposits.unattributed-page',
  `SELECT d.id, d.coin, d.tx_hash AS "txHash", d.from_address AS "fromAddress", p.address AS "toAddress",
     d.amount_units AS "amountUnits", coalesce(d.block_time, d.seen_at) AS at, o.email AS "ownerEmail",
     o.invoice_uuid AS "invoiceUuid", (SELECT count(*) ${OF_NOBODY}) AS total
   FROM (SELECT d.* ${OF_NOBODY} ORDER BY d.id DESC LIMIT $limit OFFSET $offset) d
     CROSS JOIN LATERAL (SELECT address FROM pool_address WHERE id = d.pool_address_id LIMIT 1) p
     LEFT JOIN LATERAL (
       SELECT u.email, (SELECT i.uuid FROM invoice i WHERE i.wallet_id = w.id) AS invoice_uuid
       FROM (${FIRST_WALLET}) w JOIN user_account u ON u.id = w.user_id LIMIT 1
     ) o ON true
   ORDER BY d.id DESC`,
);

/** One page of unattributed deposits on the chains as they are now, newest first, and how many there are. */
export async function selectUnattributed(
  sql: Sql,
  page: { limit: number; offset: number },
): Promise<{ rows: UnattributedRow[]; total: number }> {
  const rows = await SELECT_PAGE.all(sql, page);
  return { rows, total: Number(rows[0]?.total ?? 0) };
}

/** A deposit on an address whose wallet is of another coin. */
type ForeignDeposit = Row<Deposit, 'chain' | 'epoch' | 'transferKey' | 'coin' | 'amountUnits'> & {
  walletCoin: Row<Wallet, 'coin'>['coin'];
  ownerEmail: Row<User, 'email'>['email'];
  invoiceUuid: Row<Invoice, 'uuid'>['uuid'] | null;
};

const SELECT_FOREIGN = statement<{ ids: readonly bigint[] }, ForeignDeposit>(
  'deposits.foreign',
  `SELECT d.chain, d.epoch, d.transfer_key AS "transferKey", d.coin, d.amount_units AS "amountUnits",
     w.coin AS "walletCoin", u.email AS "ownerEmail", i.uuid AS "invoiceUuid"
   FROM deposit d CROSS JOIN LATERAL (${FIRST_WALLET}) w JOIN user_account u ON u.id = w.user_id
     LEFT JOIN invoice i ON i.wallet_id = w.id
   WHERE d.id = ANY($ids::bigint[]) AND d.wallet_id IS NULL AND w.coin <> d.coin ORDER BY d.id`,
);

/** Of some deposits those whose address is a wallet's of another coin. */
export function selectForeignDeposits(sql: Sql, ids: readonly bigint[]): Promise<ForeignDeposit[]> {
  return SELECT_FOREIGN.all(sql, { ids });
}

export interface AttachDeposit {
  depositId: string;
  walletId: number;
  operator: string;
  note: string | null;
}

const ATTACH = statement<AttachDeposit>(
  'deposits.attach',
  'SELECT attach_deposit($depositId::bigint, $walletId, $operator, $note)',
);

/** Gives a deposit to a wallet, through the one database function that may. @returns false when it cannot be given */
export async function callAttachDeposit(sql: Sql, attachment: AttachDeposit): Promise<boolean> {
  try {
    await ATTACH.count(sql, attachment);
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

const FIND_TARGET = statement<{ name: string }, { id: number }>(
  'deposits.find-target',
  `SELECT id FROM wallet WHERE id = CASE WHEN $name::text ~ '^[0-9]{1,9}$' THEN $name::int END
   UNION SELECT id FROM wallet WHERE uuid = CASE WHEN $name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN $name::uuid END
   UNION SELECT wallet_id FROM invoice
     WHERE uuid = CASE WHEN $name ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN $name::uuid END AND wallet_id IS NOT NULL`,
);

/** The wallet that an operator names: a wallet's number or uuid, or an invoice's uuid. */
export async function findTargetWallet(sql: Sql, name: string): Promise<number | null> {
  return (await FIND_TARGET.first(sql, { name }))?.id ?? null;
}
