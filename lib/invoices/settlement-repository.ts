import type { Sql } from '@/lib/db/database';
import type { ChainCursor, Invoice } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import { INVOICE_EVENTS, type NotedEventType } from './events';
import type { ChainFacts, Decision, DepositFact, InvoiceFacts } from './state';

type Stored = Row<
  Invoice,
  | 'id'
  | 'uuid'
  | 'walletId'
  | 'status'
  | 'paymentState'
  | 'expiresAt'
  | 'reversedAt'
  | 'paidAt'
  | 'amountPaidUnits'
  | 'amountConfirmedUnits'
  | 'amountReceivedUnits'
  | 'toleranceBasisPoints'
  | 'version'
>;
type Price = Row<Invoice, 'coin' | 'chain' | 'amountUnits' | 'chainEpoch'>;

/** An invoice under its row lock, with all that its decision needs. */
export interface LockedInvoice extends InvoiceFacts, Stored {}

/** Seconds of the invoice `i`'s open time in which nobody read its coin's chain. */
export const DOWNTIME_SECONDS = `(SELECT coalesce(ceil(extract(epoch FROM
    sum(least(o.ended_at, i.expires_at) - greatest(o.started_at, i.created_at)))), 0)::int
  FROM watcher_outage o WHERE o.chain = i.chain AND o.ended_at > i.created_at AND o.started_at < i.expires_at)`;

/**
 * The owner takes invoice `i`'s late money: this invoice's, or always. Whoever dealt with late money of an invoice otherwise
 * decides on all of it by hand. Follows from what was decided, never from what a settlement changes.
 */
export const POLICY_ACCEPTS_LATE = `(u.late_policy = 'accept' AND NOT EXISTS (SELECT 1 FROM invoice_event e
  WHERE e.invoice_id = i.id AND e.type = '${INVOICE_EVENTS.resolved}' AND e.payment_state = 'late'))`;

const LOCK = statement<{ invoiceId: number }, Stored & Price & Pick<LockedInvoice, 'acceptsLate' | 'downtimeSeconds'>>(
  'invoices.lock',
  `SELECT i.id, i.uuid, i.wallet_id AS "walletId", i.status, i.payment_state AS "paymentState", i.coin, i.chain, i.amount_units AS "amountUnits", i.chain_epoch AS "chainEpoch",
      i.expires_at AS "expiresAt", i.reversed_at AS "reversedAt", i.paid_at AS "paidAt",
      i.amount_paid_units AS "amountPaidUnits", i.amount_confirmed_units AS "amountConfirmedUnits",
      i.amount_received_units AS "amountReceivedUnits", i.version,
      i.tolerance_basis_points AS "toleranceBasisPoints",
      (i.late_accepted_at IS NOT NULL OR ${POLICY_ACCEPTS_LATE}) AS "acceptsLate",
      ${DOWNTIME_SECONDS} AS "downtimeSeconds"
    FROM invoice i JOIN user_account u ON u.id = i.user_id WHERE i.id = $invoiceId FOR NO KEY UPDATE OF i`,
  { prepared: true },
);

/** Locks an invoice against every other writer (not against inserts that refer to it). @returns null for an unknown id */
export async function lockInvoice(sql: Sql, invoiceId: number): Promise<LockedInvoice | null> {
  const row = await LOCK.first(sql, { invoiceId });
  if (!row) return null;
  const { coin, chain, amountUnits, chainEpoch, ...rest } = row;
  return { ...rest, priced: toPriced({ coin, chain, amountUnits, chainEpoch }) };
}

/** An invoice's price, whole or not there at all. */
export function toPriced({ coin, chain, amountUnits, chainEpoch }: Price): InvoiceFacts['priced'] {
  if (coin === null || chain === null || amountUnits === null || chainEpoch === null) return null;
  return { coin, chain, dueUnits: amountUnits, chainEpoch };
}

/** A deposit as JSON, which has neither dates nor bigints. */
export interface JsonDeposit {
  units: string;
  height: string | null;
  time: string | null;
  seen: string;
  orphaned: boolean;
  extra: number;
}

/** Deposits of an invoice as JSON: `d` is the deposit. */
export const JSON_DEPOSIT = `json_build_object('units', d.amount_units::text, 'height', d.block_height::text,
  'time', d.block_time, 'seen', d.seen_at, 'orphaned', d.orphaned_at IS NOT NULL, 'extra', d.extra_confirmations)`;

/** A deposit as the decision sees it. */
export function toDepositFact({ units, height, time, seen, orphaned, extra }: JsonDeposit): DepositFact {
  return {
    amountUnits: BigInt(units),
    blockHeight: height === null ? null : BigInt(height),
    blockTime: time === null ? null : new Date(time),
    seenAt: new Date(seen),
    orphaned,
    extraConfirmations: extra,
  };
}

/** The facts behind a decision, read after the lock: later ones leave a settlement task of their own. */
export interface SettlementFacts {
  deposits: DepositFact[];
  chain: ChainFacts;
  /** What a roll-back took away may come back with the blocks that are still being read. */
  isReadingBranch: boolean;
  /** Tasks that these facts answer. */
  taskIds: bigint[];
}

type Priced = NonNullable<InvoiceFacts['priced']>;

const FACTS = statement<
  { walletId: number } & Pick<Priced, 'chain' | 'chainEpoch'>,
  Row<ChainCursor, 'height' | 'epoch' | 'confirmedHeight'> & {
    time: Row<ChainCursor, 'chainTime'>['chainTime'];
    taskIds: bigint[] | null;
    deposits: JsonDeposit[] | null;
    isReadingBranch: boolean;
  }
>(
  'invoices.settlement-facts',
  `SELECT c.height, c.chain_time AS time, c.epoch, c.confirmed_height AS "confirmedHeight",
      c.branch_height IS NOT NULL AS "isReadingBranch",
      (SELECT array_agg(id) FROM settlement_task WHERE wallet_id = $walletId) AS "taskIds",
      (SELECT json_agg(${JSON_DEPOSIT}) FROM deposit d WHERE d.wallet_id = $walletId AND d.epoch = $chainEpoch) AS deposits
    FROM chain_cursor c WHERE c.chain = $chain::chain`,
  { prepared: true },
);

/** Reads deposits, cursor and tasks of a priced invoice's wallet in one round trip. */
export async function loadFacts(sql: Sql, walletId: number, { chain, chainEpoch }: Priced): Promise<SettlementFacts> {
  const { taskIds, deposits, isReadingBranch, ...facts } = await FACTS.one(sql, { walletId, chain, chainEpoch });
  return { isReadingBranch, taskIds: taskIds ?? [], chain: facts, deposits: (deposits ?? []).map(toDepositFact) };
}

type Decided = Omit<Decision, 'confirmations'>;

const UPDATE = statement<Decided & { id: number; version: number; now: Date; reopens: boolean }, { settled: boolean }>(
  'invoices.settle',
  `SELECT settle_invoice($id, $version, $status::invoice_status, $paymentState::payment_state, $amountPaidUnits,
     $amountConfirmedUnits, $amountReceivedUnits, $paidAt, $reversedAt, $usesLate, $reopens, $now) AS settled`,
  { prepared: true },
);

/**
 * Writes a decision with all that goes with it: a change of status has its event, deliveries and mails. `reopens` asks the
 * owner again what to do with money that does not fit.
 * @throws Error when the row changed since it was locked, which the lock excludes; see `isUnfounded` for a refusal
 */
export async function updateInvoice(
  sql: Sql,
  { id, version }: LockedInvoice,
  decision: Decision,
  { now, reopens }: { now: Date; reopens: boolean },
): Promise<void> {
  const { settled } = await UPDATE.one(sql, { ...decision, id, version, now, reopens });
  if (!settled) throw new Error(`Invoice ${id} changed under its lock.`);
}

/** Did the database refuse a decision because the facts do not carry it? They may have changed since they were read. */
export function isUnfounded(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'settlement_founded';
}

const NOTE = statement<{ invoiceId: number; type: NotedEventType; now: Date }>(
  'invoices.note-event',
  'SELECT note_event($invoiceId, $type, $now)',
);

/** Adds an event that is no change of status to a locked invoice; of money that does not fit its owner gets a mail. */
export async function noteEvent(sql: Sql, invoiceId: number, type: NotedEventType, now: Date): Promise<void> {
  await NOTE.count(sql, { invoiceId, type, now });
}
