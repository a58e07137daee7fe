import type { Sql } from '@/lib/db/database';
import type { ChainCursor, Invoice, InvoiceEvent, User } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import { INVOICE_EVENTS, type InvoiceEventType } from './events';
import type { ChainFacts, Decision, DepositFact, InvoiceFacts } from './state';

type Stored = Row<
  Invoice,
  | 'id'
  | 'uuid'
  | 'userId'
  | 'apiKeyId'
  | 'walletId'
  | 'externalCode'
  | 'description'
  | 'email'
  | 'amountEurCents'
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

/** An invoice under its row lock, with all that its decision and its events need. */
export interface LockedInvoice extends InvoiceFacts, Stored {
  merchantEmail: Row<User, 'email'>['email'];
}

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

const LOCK = statement<
  { invoiceId: number },
  Stored & Price & Pick<LockedInvoice, 'merchantEmail' | 'acceptsLate' | 'downtimeSeconds'>
>(
  'invoices.lock',
  `SELECT i.id, i.uuid, i.user_id AS "userId", i.api_key_id AS "apiKeyId", i.wallet_id AS "walletId",
      i.external_code AS "externalCode", i.description, i.email, i.amount_eur_cents AS "amountEurCents", i.status,
      i.payment_state AS "paymentState", i.coin, i.chain, i.amount_units AS "amountUnits", i.chain_epoch AS "chainEpoch",
      i.expires_at AS "expiresAt", i.reversed_at AS "reversedAt", i.paid_at AS "paidAt",
      i.amount_paid_units AS "amountPaidUnits", i.amount_confirmed_units AS "amountConfirmedUnits",
      i.amount_received_units AS "amountReceivedUnits", i.version,
      i.tolerance_basis_points AS "toleranceBasisPoints", u.email AS "merchantEmail",
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
  }
>(
  'invoices.settlement-facts',
  `SELECT c.height, c.chain_time AS time, c.epoch, c.confirmed_height AS "confirmedHeight",
      (SELECT array_agg(id) FROM settlement_task WHERE wallet_id = $walletId) AS "taskIds",
      (SELECT json_agg(${JSON_DEPOSIT}) FROM deposit d WHERE d.wallet_id = $walletId AND d.epoch = $chainEpoch) AS deposits
    FROM chain_cursor c WHERE c.chain = $chain::chain`,
  { prepared: true },
);

/** Reads deposits, cursor and tasks of a priced invoice's wallet in one round trip. */
export async function loadFacts(sql: Sql, walletId: number, { chain, chainEpoch }: Priced): Promise<SettlementFacts> {
  const { taskIds, deposits, ...facts } = await FACTS.one(sql, { walletId, chain, chainEpoch });
  return { taskIds: taskIds ?? [], chain: facts, deposits: (deposits ?? []).map(toDepositFact) };
}

type Decided = Omit<Decision, 'confirmations'>;

const UPDATE = statement<Decided & { id: number; version: number; now: Date; reopens: boolean }>(
  'invoices.settle',
  `UPDATE invoice SET status = $status::invoice_status, payment_state = $paymentState::payment_state,
      amount_paid_units = $amountPaidUnits, amount_confirmed_units = $amountConfirmedUnits,
      amount_received_units = $amountReceivedUnits, paid_at = $paidAt, reversed_at = $reversedAt, version = version + 1,
      late_accepted_at = CASE WHEN $usesLate THEN coalesce(late_accepted_at, $now) ELSE late_accepted_at END,
      resolved_at = CASE WHEN $reopens THEN NULL ELSE resolved_at END
    WHERE id = $id AND version = $version`,
  { prepared: true },
);

/**
 * Writes a decision; `reopens` asks the owner again what to do with money that does not fit.
 * @throws Error when the row changed since it was locked, which the lock excludes
 */
export async function updateInvoice(
  sql: Sql,
  { id, version }: LockedInvoice,
  decision: Decision,
  { now, reopens }: { now: Date; reopens: boolean },
): Promise<void> {
  if ((await UPDATE.count(sql, { ...decision, id, version, now, reopens })) !== 1)
    throw new Error(`Invoice ${id} changed under its lock.`);
}

export type NewInvoiceEvent = Row<
  InvoiceEvent,
  'invoiceId' | 'fromStatus' | 'toStatus' | 'paymentState' | 'createdAt'
> & {
  type: InvoiceEventType;
};

const INSERT_EVENT = statement<NewInvoiceEvent, Row<InvoiceEvent, 'id' | 'sequence'>>(
  'invoices.insert-event',
  `INSERT INTO invoice_event (invoice_id, sequence, type, from_status, to_status, payment_state, created_at)
     SELECT $invoiceId, coalesce(max(sequence), 0) + 1, $type, $fromStatus::invoice_status, $toStatus::invoice_status,
       $paymentState::payment_state, $createdAt
     FROM invoice_event WHERE invoice_id = $invoiceId RETURNING id, sequence`,
);

/** Adds the invoice's next event. Its number is free of gaps because the invoice is locked. */
export function insertEvent(sql: Sql, event: NewInvoiceEvent): Promise<Row<InvoiceEvent, 'id' | 'sequence'>> {
  return INSERT_EVENT.one(sql, event);
}
