import type { Sql } from '@/lib/db/database';
import { statement } from '@/lib/db/statement';
import type { NotedEventType } from './events';
import type { Misfit } from './misfit';
import type { Settleable } from './settlement-facts-repository';
import type { Decision } from './state';

/** Whoever locks more than one invoice locks them in the order of their ids, so that no two wait for each other. */
const lockOf = (name: string, suffix: string) =>
  statement<{ ids: readonly number[] }, { id: number }>(
    name,
    `SELECT i.id FROM invoice i WHERE i.id = ANY($ids::int[]) ORDER BY i.id FOR NO KEY UPDATE${suffix}`,
    { prepared: true },
  );
const LOCK = lockOf('invoices.lock', '');
const LOCK_FREE = lockOf('invoices.lock-free', ' SKIP LOCKED');

/**
 * Locks invoices against every other writer (not against inserts that refer to them). It reads nothing of them: a statement that
 * waits for a lock sees everything else as it was before the wait. Read the facts in the next one.
 * @param options.skipLocked leaves out those that somebody else holds, instead of waiting
 * @returns ids of those that exist and are locked
 */
export async function lockInvoices(sql: Sql, ids: readonly number[], { skipLocked = false } = {}): Promise<number[]> {
  return (await (skipLocked ? LOCK_FREE : LOCK).all(sql, { ids })).map(({ id }) => id);
}

/** A decision on an invoice that was read, and what comes up with it. */
export interface Verdict {
  invoice: Pick<Settleable, 'id' | 'version'>;
  decision: Decision;
  /** Money that does not fit: the owner is asked anew. */
  misfit: Misfit | null;
}

const SETTLE = statement<{ decisions: string; now: Date }, { written: number }>(
  'invoices.settle',
  'SELECT settle_invoices($decisions::jsonb, $now) AS written',
  { prepared: true },
);

/**
 * Writes decisions with all that goes with them: a change of status has its event, deliveries and mails, and so has money that
 * does not fit.
 * @throws Error when a row changed since it was locked, which the lock excludes; see `isUnfounded` for a refusal
 */
export async function writeDecisions(sql: Sql, verdicts: readonly Verdict[], now: Date): Promise<void> {
  const { written } = await SETTLE.one(sql, { decisions: JSON.stringify(verdicts.map(toJson)), now });
  if (written !== verdicts.length) throw new Error(`${verdicts.length - written} invoices changed under their lock.`);
}

/** As the database's type `settlement_decision`. */
function toJson({ invoice, decision, misfit }: Verdict): Record<string, unknown> {
  return {
    invoice_id: invoice.id,
    version: invoice.version,
    status: decision.status,
    payment_state: decision.paymentState,
    paid: decision.amountPaidUnits.toString(),
    confirmed: decision.amountConfirmedUnits.toString(),
    received: decision.amountReceivedUnits.toString(),
    paid_at: decision.paidAt,
    reversed_at: decision.reversedAt,
    uses_late: decision.usesLate,
    misfit,
  };
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
