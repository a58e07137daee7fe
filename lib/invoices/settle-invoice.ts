import { type Notification, notify } from '@/lib/db/channels';
import type { Database, Sql } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { deleteTasks } from '@/lib/deposits/queue-repository';
import type { Clock } from '@/lib/shared/time';
import { misfitOf } from './misfit';
import {
  isUnfounded,
  type LockedInvoice,
  loadFacts,
  lockInvoice,
  noteEvent,
  type SettlementFacts,
  updateInvoice,
} from './settlement-repository';
import { type Decision, decide, type InvoiceFacts } from './state';

/** What a settlement did. */
export interface Settlement {
  uuid: string;
  /** Anything that a page shows is different now. */
  changed: boolean;
  /** The status moved: an event and its deliveries were stored. */
  statusChanged: boolean;
}

/** Tells from the decision whether the owner's force takes its place. */
export type Force = (decision: Decision) => boolean;

const UNKNOWN_CHAIN = { height: null, confirmedHeight: null, time: null, epoch: 0 };
const NO_FACTS: SettlementFacts = { deposits: [], chain: UNKNOWN_CHAIN, isReadingBranch: false, taskIds: [] };

/**
 * The only writer of an invoice's status: locks it, reads the facts, decides, and commits the change together with its
 * event and deliveries. Calling it without a reason changes nothing; nor does it while the branch that a roll-back led to is
 * still being read: a payment that it holds too was never gone. Whoever calls it tells of the change afterwards
 * (`settleAndNotify`, or `notifyChanges` for many at once).
 * @returns what happened, or null for an unknown invoice
 */
export async function settleInvoice(
  db: Pick<Database, 'pool'>,
  invoiceId: number,
  clock: Clock,
  isForced: Force = () => false,
): Promise<Settlement | null> {
  return settle(db, invoiceId, clock, { isForced, answersTasks: false });
}

/**
 * The same for whoever works off the queue: takes the invoice's settlement tasks off it. Everybody else leaves them, so that a
 * process that only asks can take no reason to settle away.
 */
export async function settleQueued(
  db: Pick<Database, 'pool'>,
  invoiceId: number,
  clock: Clock,
): Promise<Settlement | null> {
  return settle(db, invoiceId, clock, { isForced: () => false, answersTasks: true });
}

interface Manner {
  isForced: Force;
  answersTasks: boolean;
}

/** The facts may change between their reading and the database's own look at them; then they are read again. */
const ATTEMPTS = 3;

async function settle(
  db: Pick<Database, 'pool'>,
  invoiceId: number,
  clock: Clock,
  manner: Manner,
): Promise<Settlement | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await settleOnce(db, invoiceId, clock, manner);
    } catch (error) {
      if (attempt === ATTEMPTS || !isUnfounded(error)) throw error;
    }
  }
}

function settleOnce(
  db: Pick<Database, 'pool'>,
  invoiceId: number,
  clock: Clock,
  { isForced, answersTasks }: Manner,
): Promise<Settlement | null> {
  return transaction(db, async (sql) => {
    const invoice = await lockInvoice(sql, invoiceId);
    if (!invoice) return null;
    const facts = await factsOf(sql, invoice);
    const now = clock();
    const decideOn = (stored: InvoiceFacts) => decide(stored, facts.deposits, facts.chain, now);
    const found = decideOn(invoice);
    const forces = isForced(found);
    if (facts.isReadingBranch && !forces) return { uuid: invoice.uuid, changed: false, statusChanged: false };
    const decision = forces ? decideOn({ ...invoice, status: 'forcePaid', paidAt: now }) : found;
    const changed = differs(invoice, decision);
    const statusChanged = decision.status !== invoice.status;
    const misfit = misfitOf(invoice, decision);
    if (changed) await updateInvoice(sql, invoice, decision, { now, reopens: misfit !== null });
    if (misfit) await noteEvent(sql, invoice.id, misfit, now);
    if (answersTasks && facts.taskIds.length > 0) await deleteTasks(sql, facts.taskIds);
    return { uuid: invoice.uuid, changed, statusChanged };
  });
}

/** Settles one invoice and wakes whoever waits for it. */
export async function settleAndNotify(
  db: Pick<Database, 'pool'>,
  invoiceId: number,
  clock: Clock,
  isForced?: Force,
): Promise<void> {
  const settlement = await settleInvoice(db, invoiceId, clock, isForced);
  if (settlement) await notifyChanges(db, [settlement]);
}

/** Wakes pay pages and the dispatcher after a commit. */
export async function notifyChanges(db: Pick<Database, 'pool'>, settlements: readonly Settlement[]): Promise<void> {
  const changed = settlements.filter((settlement) => settlement.changed);
  const woken: Notification[] = changed.map(({ uuid }) => ({ channel: 'invoice', payload: uuid }));
  if (changed.some((settlement) => settlement.statusChanged)) woken.push({ channel: 'delivery' });
  await notify(db, woken);
}

async function factsOf(sql: Sql, { walletId, priced }: LockedInvoice): Promise<SettlementFacts> {
  return walletId === null || !priced ? NO_FACTS : loadFacts(sql, walletId, priced);
}

function differs(invoice: LockedInvoice, decision: Decision): boolean {
  return (
    invoice.status !== decision.status ||
    invoice.paymentState !== decision.paymentState ||
    invoice.amountPaidUnits !== decision.amountPaidUnits ||
    invoice.amountConfirmedUnits !== decision.amountConfirmedUnits ||
    invoice.amountReceivedUnits !== decision.amountReceivedUnits ||
    invoice.paidAt?.getTime() !== decision.paidAt?.getTime() ||
    invoice.reversedAt?.getTime() !== decision.reversedAt?.getTime()
  );
}
