import { type ChainFacts, type Decision, decide } from '@/lib/invoices/state';
import type { Difference } from '@/lib/ledger/findings';
import { addSeconds } from '@/lib/shared/time';
import type { AuditedInvoice } from './invoice-facts-repository';

/** The expiry loop closes what is over within seconds; what it has not closed after so long, it forgot. */
const EXPIRY_FORGOTTEN_SECONDS = 600;
/** A policy that takes late money whenever it was booked. */
const ALWAYS = new Date(0);
/** A policy that began after every booking: it takes what still waits for its own. */
const SINCE_JUST_NOW = new Date(8.64e15);

/** `late`: another state is due and its settlement is on the way. */
export type Judgement = 'agrees' | 'late' | Difference;

/**
 * Compares an invoice as it is stored with what the facts make of it. Pure.
 * @param now the moment at which the facts were read
 */
export function judgeInvoice(invoice: AuditedInvoice, chain: ChainFacts, now: Date): Judgement {
  if (invoice.announcedStatus !== invoice.status)
    return difference('history', invoice, `last announced as ${invoice.announcedStatus}`, invoice.status, 0n);
  if (invoice.isQueued) return 'late';
  const decision = decide(invoice, invoice.deposits, chain, now);
  const wrong = wrongFields(invoice, decision, chain);
  if (wrong.length === 0) return 'agrees';
  // The owner's policy changed since: it acts with the next settlement.
  if (earlierPolicies(invoice).some((from) => agreesUnder(from, invoice, chain, now))) return 'late';
  if (isExpiryUnderWay(invoice, decision, chain, now)) return 'late';
  const textOf = (from: Stored) => wrong.map((field) => `${field} ${from[field]}`).join(', ');
  const apart = decision.amountPaidUnits - invoice.amountPaidUnits;
  return difference('invoice', invoice, textOf(decision), textOf(invoice), apart < 0n ? -apart : apart);
}

const DECIDED = ['paymentState', 'amountPaidUnits', 'amountConfirmedUnits', 'amountReceivedUnits'] as const;
type Stored = Pick<Decision, 'status' | (typeof DECIDED)[number]>;

/** What the stored state has otherwise than the facts. */
function wrongFields(invoice: AuditedInvoice, decision: Decision, chain: ChainFacts): (keyof Stored)[] {
  const differs = (field: keyof Stored) => invoice[field] !== decision[field];
  if (differs('status')) return ['status'];
  // A replaced local chain took the blocks along that the rest was decided from.
  if (invoice.priced && invoice.priced.chainEpoch !== chain.epoch) return [];
  return DECIDED.filter(differs);
}

/** Every policy that an invoice may have been settled under: none, and one that took money from before, on or after each booking. */
function earlierPolicies({ deposits }: AuditedInvoice): (Date | null)[] {
  return [null, ALWAYS, SINCE_JUST_NOW, ...deposits.map(({ bookedAt }) => bookedAt).filter((at) => at !== null)];
}

function agreesUnder(takesLateFrom: Date | null, invoice: AuditedInvoice, chain: ChainFacts, now: Date): boolean {
  const before = decide({ ...invoice, takesLateFrom }, invoice.deposits, chain, now);
  return wrongFields(invoice, before, chain).length === 0;
}

function isExpiryUnderWay(invoice: AuditedInvoice, decision: Decision, chain: ChainFacts, now: Date): boolean {
  if (invoice.status !== 'pending' || decision.status !== 'expired') return false;
  const earlier = { ...chain, time: chain.time && addSeconds(chain.time, -EXPIRY_FORGOTTEN_SECONDS) };
  const before = decide(invoice, invoice.deposits, earlier, addSeconds(now, -EXPIRY_FORGOTTEN_SECONDS));
  return before.status === 'pending';
}

function difference(
  kind: 'invoice' | 'history',
  { uuid }: AuditedInvoice,
  expected: string,
  actual: string,
  units: bigint,
): Difference {
  return { kind, subject: `invoice ${uuid}`, expected, actual, units };
}
