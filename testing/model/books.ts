import type { Sql } from '@/lib/db/database';
import { webhookBody } from '@/lib/invoices/announcements';
import type { InvoiceStatus, PaymentState } from '@/lib/shared/invoice-status';

/** The coin's cursor as stored. Times are ISO texts throughout, amounts and 64-bit numbers decimal texts. */
export interface CursorRow {
  height: string;
  hash: string;
  time: string;
  epoch: number;
  confirmations: number;
  pausedReason: string | null;
}

export interface EventRow {
  id: string;
  sequence: number;
  type: string;
  from: InvoiceStatus;
  to: InvoiceStatus;
  deliveries: { apiKeyId: number }[];
  /** What the dispatcher sends of it; null where nothing goes out. */
  body: string | null;
}

export interface InvoiceRow {
  id: number;
  uuid: string;
  userId: number;
  apiKeyId: number | null;
  email: string | null;
  status: InvoiceStatus;
  paymentState: PaymentState;
  coin: 'ETH' | null;
  walletId: number | null;
  dueUnits: string | null;
  chainEpoch: number | null;
  expiresAt: string;
  reversedAt: string | null;
  paidAt: string | null;
  toleranceBasisPoints: number;
  /** The owner took its late money. */
  acceptsLate: boolean;
  /** Since when the owner's policy takes it, if at all. */
  takesLateFrom: string | null;
  /** Seconds in which nobody read the chain while it was open. */
  downtimeSeconds: number;
  resolvedAt: string | null;
  amountPaidUnits: string;
  amountConfirmedUnits: string;
  amountReceivedUnits: string;
  events: EventRow[];
  /** Every status that it ever had. */
  history: InvoiceStatus[];
  receipts: number;
  /** Mails to the owner about a payment that a reorg took back. */
  alarms: number;
}

export interface DepositRow {
  id: string;
  epoch: number;
  txHash: string;
  address: string;
  walletId: number | null;
  amountUnits: string;
  height: string;
  hash: string;
  time: string;
  seenAt: string;
  /** When it was booked to its wallet, or given to it. */
  bookedAt: string | null;
  isOrphaned: boolean;
  isPosted: boolean;
}

export interface EntryRow {
  kind: string;
  /** The deposit that it is about; null for other facts. */
  depositId: string | null;
  postings: {
    account: string;
    walletId: number | null;
    /** Of custody: where it lies. */
    address: string | null;
    units: string;
  }[];
}

export interface Outage {
  from: string;
  to: string;
}

/** All that the product has stored about its money at one moment. */
export interface Books {
  cursor: CursorRow | null;
  invoices: InvoiceRow[];
  deposits: DepositRow[];
  entries: EntryRow[];
  accounts: { kind: string; walletId: number | null; address: string | null; balance: string; postings: string }[];
  /** Address of every wallet that was assigned. */
  wallets: { id: number; address: string; userId: number }[];
  /** Wallets whose invoices wait for a decision. */
  queued: number[];
  /** When nobody read the chain, as the watcher noted it. */
  outages: Outage[];
}

const list = (query: string) => `(SELECT coalesce(json_agg(r), '[]') FROM (${query}) r)`;

const DELIVERIES = list(`SELECT api_key_id AS "apiKeyId" FROM webhook_delivery w WHERE w.event_id = e.id`);

const EVENTS =
  list(`SELECT e.id::text, e.sequence, e.type, e.from_status AS "from", e.to_status AS "to", ${DELIVERIES} AS deliveries
  FROM invoice_event e WHERE e.invoice_id = i.id ORDER BY e.sequence`);

const DOWNTIME = `(SELECT coalesce(sum(extract(epoch FROM least(o.ended_at, i.expires_at) - greatest(o.started_at, i.created_at))), 0)
  FROM watcher_outage o WHERE o.chain = i.chain AND o.ended_at > i.created_at AND o.started_at < i.expires_at)`;

const IS_LATE_REFUSED = `EXISTS (SELECT 1 FROM invoice_event e WHERE e.invoice_id = i.id
  AND e.type = 'invoice.resolved' AND e.payment_state = 'late')`;

const HISTORY = `(SELECT json_agg(h.status ORDER BY h.id) FROM invoice_status_change h WHERE h.invoice_id = i.id)`;

const INVOICES = list(`SELECT i.id, i.uuid, i.user_id AS "userId", i.api_key_id AS "apiKeyId", i.email, i.status,
    i.payment_state AS "paymentState", i.coin, i.wallet_id AS "walletId", i.amount_units::text AS "dueUnits",
    i.chain_epoch AS "chainEpoch", i.expires_at AS "expiresAt", i.reversed_at AS "reversedAt", i.paid_at AS "paidAt",
    i.resolved_at AS "resolvedAt", i.tolerance_basis_points AS "toleranceBasisPoints",
    (SELECT late_policy_since FROM user_account u WHERE u.id = i.user_id AND late_policy = 'accept' AND NOT ${IS_LATE_REFUSED})
      AS "takesLateFrom", i.late_accepted_at IS NOT NULL AS "acceptsLate", ${DOWNTIME}::int AS "downtimeSeconds", i.amount_received_units::text AS "amountReceivedUnits",
    ${HISTORY} AS history, i.amount_paid_units::text AS "amountPaidUnits", i.amount_confirmed_units::text AS "amountConfirmedUnits",
    ${EVENTS} AS events,
    (SELECT count(*)::int FROM outgoing_mail m WHERE m.dedupe_key = 'receipt:' || i.uuid) AS receipts,
    (SELECT count(*)::int FROM outgoing_mail m WHERE m.dedupe_key LIKE 'reversed:' || i.uuid || ':%') AS alarms
  FROM invoice i ORDER BY i.id`);

const DEPOSITS = list(`SELECT d.id::text, d.epoch, d.tx_hash AS "txHash", p.address, d.wallet_id AS "walletId",
    d.amount_units::text AS "amountUnits", d.block_height::text AS height, d.block_hash AS hash, d.block_time AS time,
    d.seen_at AS "seenAt", CASE WHEN d.posted_at IS NOT NULL THEN greatest(d.posted_at,
      (SELECT max(at) FROM deposit_attribution t WHERE t.deposit_id = d.id)) END AS "bookedAt", d.orphaned_at IS NOT NULL AS "isOrphaned", d.posted_at IS NOT NULL AS "isPosted"
  FROM deposit d JOIN pool_address p ON p.id = d.pool_address_id ORDER BY d.id`);

const POSTINGS = list(`SELECT a.kind AS account, a.wallet_id AS "walletId", pa.address, p.amount_units::text AS units
  FROM ledger_posting p JOIN ledger_account a ON a.id = p.account_id LEFT JOIN pool_address pa ON pa.id = a.pool_address_id
  WHERE p.entry_id = e.id`);

const ACCOUNTS = list(`SELECT a.kind, a.wallet_id AS "walletId", a.balance::text,
    (SELECT address FROM pool_address pa WHERE pa.id = a.pool_address_id) AS address,
    (SELECT coalesce(sum(p.amount_units), 0)::text FROM ledger_posting p WHERE p.account_id = a.id) AS postings
  FROM ledger_account a`);

const BOOKS = `SELECT
  (SELECT row_to_json(c) FROM (SELECT height::text, hash, chain_time AS time, epoch, confirmations,
    paused_reason AS "pausedReason" FROM chain_cursor WHERE chain = 'ethereum' AND height IS NOT NULL) c) AS cursor,
  ${INVOICES} AS invoices,
  ${DEPOSITS} AS deposits,
  ${list(`SELECT e.kind, CASE e.fact WHEN 'deposit' THEN e.fact_id::text END AS "depositId", ${POSTINGS} AS postings
    FROM ledger_entry e ORDER BY e.id`)} AS entries,
  ${ACCOUNTS} AS accounts,
  ${list('SELECT id, address, user_id AS "userId" FROM wallet')} AS wallets,
  (SELECT coalesce(json_agg(DISTINCT wallet_id), '[]') FROM settlement_task) AS queued,
  ${list('SELECT started_at AS "from", ended_at AS "to" FROM watcher_outage ORDER BY id')} AS outages`;

/** Of an invoice's wallet what came on the chain on which it is to be paid. */
export function moneyFor({ walletId, chainEpoch }: InvoiceRow, { deposits }: Pick<Books, 'deposits'>): DepositRow[] {
  return deposits.filter(
    (deposit) => walletId !== null && deposit.walletId === walletId && deposit.epoch === chainEpoch,
  );
}

/** Its chain was replaced: what was open is over, and nothing of it is read any more. */
export function isOfReplacedChain({ chainEpoch }: InvoiceRow, { cursor }: Pick<Books, 'cursor'>): boolean {
  return chainEpoch !== null && cursor !== null && chainEpoch !== cursor.epoch;
}

/** Reads everything in one statement, so that it is one moment; what webhooks say is written from it afterwards. */
export async function readBooks(sql: Sql): Promise<Books> {
  const { rows } = await sql.query<Books>({ name: 'books', text: BOOKS });
  const [books] = rows;
  if (!books) throw new Error('One row was due.');
  for (const event of books.invoices.flatMap(({ events }) => events))
    event.body = event.deliveries.length > 0 ? await webhookBody(sql, BigInt(event.id)) : null;
  return books;
}
