import { type Notification, notify } from '@/lib/db/channels';
import type { Database } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { deleteTasks } from '@/lib/deposits/queue-repository';
import type { Clock } from '@/lib/shared/time';
import { misfitOf } from './misfit';
import { loadFacts, type Settleable } from './settlement-facts-repository';
import { isUnfounded, lockInvoices, type Verdict, writeDecisions } from './settlement-repository';
import { type Decision, decide } from './state';

/** What a settlement did. */
export interface Settlement {
  id: number;
  uuid: string;
  /** Anything that a page shows is different now. */
  changed: boolean;
  /** The status moved: an event and its deliveries were stored. */
  statusChanged: boolean;
}

/** Tells from the decision whether the owner's force takes its place. */
export type Force = (decision: Decision) => boolean;

/** How a set is settled. */
export interface Manner {
  isForced?: Force;
  /**
   * Takes the invoices' settlement tasks off the queue, for whoever works it off. Everybody else leaves them, so that a process
   * that only asks can take no reason to settle away.
   */
  answersTasks?: boolean;
  /** Leaves out invoices that somebody else holds, instead of waiting for them. */
  skipLocked?: boolean;
}

/** The facts may change between their reading and the database's own look at them; then they are read again. */
const ATTEMPTS = 3;

/**
 * The only writer of an invoice's status: locks the invoices of a set in the order of their ids, then reads their facts, decides
 * each, and commits all changes together with their events and deliveries. Calling it without a reason changes nothing; nor does
 * it while the branch that a roll-back led to is still being read: a payment that it holds too was never gone. Whoever calls it
 * tells of the changes afterwards (`notifyChanges`, or `settleAndNotify`).
 * @param ids at most 1,000
 * @returns what happened to each; unknown ones, those left out, and those whose branch is still being read are missing
 * @throws what went wrong with any of them: none of the set is settled then
 */
export async function settleSet(
  db: Pick<Database, 'pool'>,
  ids: readonly number[],
  clock: Clock,
  manner: Manner = {},
): Promise<Settlement[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await settleOnce(db, ids, clock, manner);
    } catch (error) {
      if (attempt === ATTEMPTS || !isUnfounded(error)) throw error;
    }
  }
}

function settleOnce(
  db: Pick<Database, 'pool'>,
  ids: readonly number[],
  clock: Clock,
  { isForced = () => false, answersTasks = false, skipLocked = false }: Manner,
): Promise<Settlement[]> {
  return transaction(db, async (sql) => {
    const invoices = await loadFacts(sql, await lockInvoices(sql, ids, { skipLocked }));
    const now = clock();
    const decided = invoices
      .map((invoice) => ({ invoice, ...decideOn(invoice, now, isForced) }))
      .filter(({ invoice, forces }) => forces || !awaitsBranch(invoice));
    const changes = decided.filter(({ invoice, decision }) => differs(invoice, decision));
    const verdicts: Verdict[] = changes.map(({ invoice, decision }) => ({
      invoice,
      decision,
      misfit: misfitOf(invoice, decision),
    }));
    if (verdicts.length > 0) await writeDecisions(sql, verdicts, now);
    const taskIds = answersTasks ? decided.flatMap(({ invoice }) => invoice.taskIds) : [];
    if (taskIds.length > 0) await deleteTasks(sql, taskIds);
    return decided.map(({ invoice, decision }) => ({
      id: invoice.id,
      uuid: invoice.uuid,
      changed: differs(invoice, decision),
      statusChanged: decision.status !== invoice.status,
    }));
  });
}

/** A roll-back left a task for every wallet that lost money; it is answered when the new branch has been read. */
function awaitsBranch({ isReadingBranch, taskIds }: Settleable): boolean {
  return isReadingBranch && taskIds.length > 0;
}

function decideOn(invoice: Settleable, now: Date, isForced: Force): { decision: Decision; forces: boolean } {
  const { deposits, chainFacts } = invoice;
  const found = decide(invoice, deposits, chainFacts, now);
  if (!isForced(found)) return { decision: found, forces: false };
  return {
    decision: decide({ ...invoice, status: 'forcePaid', paidAt: now }, deposits, chainFacts, now),
    forces: true,
  };
}

/** Settles one invoice. @returns what happened, or null for an unknown one */
export async function settleInvoice(
  db: Pick<Database, 'pool'>,
  invoiceId: number,
  clock: Clock,
  isForced?: Force,
): Promise<Settlement | null> {
  const [settlement] = await settleSet(db, [invoiceId], clock, isForced && { isForced });
  return settlement ?? null;
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

function differs(invoice: Settleable, decision: Decision): boolean {
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
