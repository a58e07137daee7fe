import type { InvoiceStatus, PaymentState } from '@/lib/api-schema/invoices';
import type { Sql } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';
import type { ChainFacts, Decision, DepositFact, InvoiceFacts } from './state';

/** An invoice under its row lock, with all that its decision and its events need. */
export interface LockedInvoice extends InvoiceFacts {
  id: number;
  uuid: string;
  userId: number;
  apiKeyId: number | null;
  walletId: number | null;
  externalCode: string | null;
  description: string | null;
  email: string | null;
  merchantEmail: string;
  amountEurCents: number;
  paymentState: PaymentState;
  amountPaidUnits: bigint;
  amountConfirmedUnits: bigint;
  amountReceivedUnits: bigint;
  version: number;
}

interface RawInvoice
  extends Omit<LockedInvoice, 'priced' | 'amountPaidUnits' | 'amountConfirmedUnits' | 'amountReceivedUnits'> {
  coin: Coin | null;
  amountUnits: string | null;
  chainEpoch: number | null;
  amountPaidUnits: string;
  amountConfirmedUnits: string;
  amountReceivedUnits: string;
}

/** Seconds of the invoice `i`'s open time in which nobody read its coin's chain. */
export const DOWNTIME_SECONDS = `(SELECT coalesce(ceil(extract(epoch FROM
    sum(least(o.ended_at, i.expires_at) - greatest(o.started_at, i.created_at)))), 0)::int
  FROM watcher_outage o WHERE o.coin = i.coin AND o.ended_at > i.created_at AND o.started_at < i.expires_at)`;

/**
 * The owner takes invoice `i`'s late money: this invoice's, or always. Whoever dealt with late money of an invoice otherwise
 * decides on all of it by hand. Follows from what was decided, never from what a settlement changes.
 */
export const POLICY_ACCEPTS_LATE = `(u.late_policy = 'accept' AND NOT EXISTS (SELECT 1 FROM invoice_event e
  WHERE e.invoice_id = i.id AND e.type = 'invoice.resolved' AND e.payment_state = 'late'))`;

/** Locks an invoice against every other writer (not against inserts that refer to it). @returns null for an unknown id */
export async function lockInvoice(sql: Sql, invoiceId: number): Promise<LockedInvoice | null> {
  const { rows } = await sql.query<RawInvoice>({
    name: 'lock-invoice',
    text: `SELECT i.id, i.uuid, i.user_id AS "userId", i.api_key_id AS "apiKeyId", i.wallet_id AS "walletId",
      i.external_code AS "externalCode", i.description, i.email, i.amount_eur_cents AS "amountEurCents", i.status,
      i.payment_state AS "paymentState", i.coin, i.amount_units AS "amountUnits", i.chain_epoch AS "chainEpoch",
      i.expires_at AS "expiresAt", i.reversed_at AS "reversedAt", i.paid_at AS "paidAt",
      i.amount_paid_units AS "amountPaidUnits", i.amount_confirmed_units AS "amountConfirmedUnits",
      i.amount_received_units AS "amountReceivedUnits", i.version,
      i.tolerance_basis_points AS "toleranceBasisPoints", u.email AS "merchantEmail",
      (i.late_accepted_at IS NOT NULL OR ${POLICY_ACCEPTS_LATE}) AS "acceptsLate",
      ${DOWNTIME_SECONDS} AS "downtimeSeconds"
    FROM invoice i JOIN user_account u ON u.id = i.user_id WHERE i.id = $1 FOR NO KEY UPDATE OF i`,
    values: [invoiceId],
  });
  const [raw] = rows;
  if (!raw) return null;
  const { coin, amountUnits, chainEpoch, ...rest } = raw;
  return {
    ...rest,
    amountPaidUnits: BigInt(raw.amountPaidUnits),
    amountConfirmedUnits: BigInt(raw.amountConfirmedUnits),
    amountReceivedUnits: BigInt(raw.amountReceivedUnits),
    priced: coin && amountUnits && chainEpoch !== null ? { coin, dueUnits: BigInt(amountUnits), chainEpoch } : null,
  };
}

interface RawFacts {
  height: string | null;
  time: Date | null;
  epoch: number;
  confirmationsRequired: number;
  taskIds: string[] | null;
  deposits: { units: string; height: string | null; time: string | null; seen: string; orphaned: boolean }[] | null;
}

/** The facts behind a decision, read after the lock: later ones leave a settlement task of their own. */
export interface SettlementFacts {
  deposits: DepositFact[];
  chain: ChainFacts;
  /** Tasks that these facts answer. */
  taskIds: string[];
}

/** Reads deposits, cursor and tasks of a priced invoice's wallet in one round trip. */
export async function loadFacts(
  sql: Sql,
  walletId: number,
  { coin, chainEpoch }: { coin: Coin; chainEpoch: number },
): Promise<SettlementFacts> {
  const { rows } = await sql.query<RawFacts>({
    name: 'settlement-facts',
    text: `SELECT c.height, c.block_time AS time, c.epoch, c.confirmations AS "confirmationsRequired",
      (SELECT array_agg(id) FROM settlement_task WHERE wallet_id = $1) AS "taskIds",
      (SELECT json_agg(json_build_object('units', amount_units::text, 'height', block_height::text, 'time', block_time,
         'seen', seen_at, 'orphaned', orphaned_at IS NOT NULL)) FROM deposit WHERE wallet_id = $1 AND epoch = $3) AS deposits
    FROM chain_cursor c WHERE c.coin = $2::coin`,
    values: [walletId, coin, chainEpoch],
  });
  const [raw] = rows;
  if (!raw) throw new Error(`No cursor for ${coin}.`);
  return {
    taskIds: raw.taskIds ?? [],
    chain: {
      height: raw.height === null ? null : BigInt(raw.height),
      time: raw.time,
      epoch: raw.epoch,
      confirmationsRequired: raw.confirmationsRequired,
    },
    deposits: (raw.deposits ?? []).map((deposit) => ({
      amountUnits: BigInt(deposit.units),
      blockHeight: deposit.height === null ? null : BigInt(deposit.height),
      blockTime: deposit.time === null ? null : new Date(deposit.time),
      seenAt: new Date(deposit.seen),
      orphaned: deposit.orphaned,
    })),
  };
}

/** Writes a decision; `reopens` asks the owner again what to do with money that does not fit. @throws Error when the row changed since it was locked, which the lock excludes */
export async function updateInvoice(
  sql: Sql,
  invoice: LockedInvoice,
  decision: Decision,
  { now, reopens }: { now: Date; reopens: boolean },
): Promise<void> {
  const { rowCount } = await sql.query({
    name: 'update-settled-invoice',
    text: `UPDATE invoice SET status = $3::invoice_status, payment_state = $4::payment_state, amount_paid_units = $5,
      amount_confirmed_units = $6, paid_at = $7, reversed_at = $8, version = version + 1,
      late_accepted_at = CASE WHEN $9 THEN coalesce(late_accepted_at, $10) ELSE late_accepted_at END,
      resolved_at = CASE WHEN $11 THEN NULL ELSE resolved_at END, amount_received_units = $12
    WHERE id = $1 AND version = $2`,
    values: [
      invoice.id,
      invoice.version,
      decision.status,
      decision.paymentState,
      decision.amountPaidUnits.toString(),
      decision.amountConfirmedUnits.toString(),
      decision.paidAt,
      decision.reversedAt,
      decision.usesLate,
      now,
      reopens,
      decision.amountReceivedUnits.toString(),
    ],
  });
  if (rowCount !== 1) throw new Error(`Invoice ${invoice.id} changed under its lock.`);
}

export interface NewInvoiceEvent {
  invoiceId: number;
  type: string;
  fromStatus: InvoiceStatus;
  toStatus: InvoiceStatus;
  paymentState: PaymentState;
  createdAt: Date;
}

/** Adds the invoice's next event. Its number is free of gaps because the invoice is locked. */
export async function insertEvent(sql: Sql, event: NewInvoiceEvent): Promise<{ id: string; sequence: number }> {
  const { rows } = await sql.query<{ id: string; sequence: number }>(
    `INSERT INTO invoice_event (invoice_id, sequence, type, from_status, to_status, payment_state, created_at)
     SELECT $1, coalesce(max(sequence), 0) + 1, $2, $3::invoice_status, $4::invoice_status, $5::payment_state, $6
     FROM invoice_event WHERE invoice_id = $1 RETURNING id, sequence`,
    [event.invoiceId, event.type, event.fromStatus, event.toStatus, event.paymentState, event.createdAt],
  );
  const [row] = rows;
  if (!row) throw new Error('The event was not stored.');
  return row;
}

/** Queues a wallet's invoice to be decided again. */
export async function insertTask(sql: Sql, walletId: number, coin: Coin): Promise<void> {
  await sql.query('INSERT INTO settlement_task (wallet_id, coin) VALUES ($1, $2::coin)', [walletId, coin]);
}

/**
 * Takes tasks off the queue, those and no others: one with a lower number may be committed later, with facts that nobody has
 * seen yet.
 */
export async function deleteTasks(sql: Sql, taskIds: readonly string[]): Promise<void> {
  await sql.query('DELETE FROM settlement_task WHERE id = ANY($1::bigint[])', [taskIds]);
}

/** Takes tasks of wallets without an invoice off the queue: there is nothing to decide. */
export async function deleteTasksWithoutInvoice(sql: Sql, coin: Coin): Promise<void> {
  await sql.query(
    `DELETE FROM settlement_task t WHERE coin = $1::coin
       AND NOT EXISTS (SELECT 1 FROM invoice i WHERE i.wallet_id = t.wallet_id)`,
    [coin],
  );
}

/** Invoices with tasks, oldest task first, but for those in `except`. */
export async function selectQueuedInvoices(
  sql: Sql,
  coin: Coin,
  except: readonly number[],
  limit: number,
): Promise<number[]> {
  const { rows } = await sql.query<{ id: number }>(
    `SELECT i.id FROM settlement_task t JOIN invoice i ON i.wallet_id = t.wallet_id
     WHERE t.coin = $1::coin AND NOT i.id = ANY($2::int[]) GROUP BY i.id ORDER BY min(t.id) LIMIT $3`,
    [coin, except, limit],
  );
  return rows.map((row) => row.id);
}

/** Pending invoices whose time may be over: by chain time with a coin, by the clock without. */
export async function selectExpirable(
  sql: Sql,
  now: Date,
  graceSeconds: Record<Coin, number>,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql.query<{ id: number }>(
    `(SELECT i.id FROM chain_cursor c JOIN invoice i ON i.coin = c.coin
        WHERE i.status = 'pending' AND i.payment_state NOT IN ('seen', 'confirming')
          AND i.expires_at < c.block_time - ($2::jsonb ->> c.coin::text)::int * interval '1 s'
          AND i.expires_at < c.block_time - (($2::jsonb ->> c.coin::text)::int + ${DOWNTIME_SECONDS}) * interval '1 s'
          AND (i.reversed_at IS NULL OR i.reversed_at < c.block_time - interval '24 h')
        ORDER BY i.expires_at LIMIT $3)
     UNION ALL
     (SELECT id FROM invoice WHERE status = 'pending' AND coin IS NULL AND expires_at <= $1 ORDER BY expires_at LIMIT $3)`,
    [now, JSON.stringify(graceSeconds), limit],
  );
  return rows.map((row) => row.id);
}
