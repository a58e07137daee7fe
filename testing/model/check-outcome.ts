import { CHAIN_INFO } from '@/lib/shared/chains';
import { COIN_INFO } from '@/lib/shared/coins';
import { smallestShownUnits } from '@/lib/shared/money';
import { addSeconds } from '@/lib/shared/time';
import type { MemoryChain } from '@/testing/memory-chain';
import { type Books, type DepositRow, type InvoiceRow, isOfReplacedChain, moneyFor } from './books';
import type { KnownInvoice, Memory } from './memory';
import type { MerchantRules } from './merchant';
import { Violation } from './violation';

const SHOWN = smallestShownUnits('ETH');
const DUST = COIN_INFO.ETH.dustUnits;

/** Everything that an outcome follows from. */
export interface Ending {
  books: Books;
  memory: Memory;
  chain: MemoryChain;
  /** Rules of the merchants, by their places. */
  rules: readonly [MerchantRules, MerchantRules];
}

interface Money {
  /** In time, or late and accepted. */
  counted: bigint;
  late: bigint;
  all: bigint;
}

/**
 * What each invoice must have become in the end, read off the chain alone: everything is mined, confirmed and drained, and
 * every time is over. Says the same as the transition table, in other words than the product's.
 * @throws Violation
 */
export function checkOutcome(ending: Ending): void {
  for (const known of ending.memory.invoices) {
    const invoice = ending.books.invoices.find(({ uuid }) => uuid === known.uuid);
    if (!invoice) throw new Violation('no invoice is lost', known);
    if (isOfReplacedChain(invoice, ending.books)) {
      checkReplaced(invoice, ending.memory);
      continue;
    }
    const money = moneyOf(invoice, known, ending);
    const status = statusOf(known, money, ending);
    const paymentState = stateOf(known, money, status);
    if (invoice.status !== status || invoice.paymentState !== paymentState)
      throw new Violation('in the end an invoice is what the chain says', {
        invoice,
        status,
        paymentState,
        money,
        known,
      });
    const isSame =
      BigInt(invoice.amountPaidUnits) === money.counted && BigInt(invoice.amountConfirmedUnits) === money.counted;
    if (!isSame) throw new Violation('I5 in the end all that was paid in time is confirmed', { invoice, money });
  }
}

/** What was paid stays paid, what was open is over; its owner may still have forced it. */
function checkReplaced(invoice: InvoiceRow, { atReplacement, forced }: Memory): void {
  const was = atReplacement.get(invoice.uuid);
  const due = forced.has(invoice.uuid) ? 'forcePaid' : was === 'pending' ? 'expired' : was;
  if (invoice.status !== due) throw new Violation('a chain that was replaced ends what is open', { invoice, was });
}

function moneyOf(invoice: InvoiceRow, known: KnownInvoice, { books, memory, chain, rules }: Ending): Money {
  const deposits = moneyFor(invoice, books);
  const byPolicy = rules[known.merchant].latePolicy === 'accept' && !memory.refused.has(known.uuid);
  const acceptsLate = byPolicy || memory.accepted.has(known.uuid);
  const patience = CHAIN_INFO.ethereum.inclusionGraceSeconds + invoice.downtimeSeconds;
  const lastMoment = addSeconds(known.expiresAt, patience);
  const money: Money = { counted: 0n, late: 0n, all: 0n };
  for (const block of chain.branchOf(chain.tip.hash)) {
    for (const { txHash, amountUnits } of block.transfers) {
      const deposit = deposits.find((own) => own.txHash === txHash);
      if (!deposit) continue;
      const isLate = firstSight(deposit, block.time) > lastMoment;
      money.all += amountUnits;
      if (isLate) money.late += amountUnits;
      if (!isLate || acceptsLate) money.counted += amountUnits;
    }
  }
  return money;
}

/** A payment that was seen in time stays in time when a reorg moves it to a later block. */
function firstSight({ seenAt }: DepositRow, blockTime: Date): Date {
  const seen = new Date(seenAt);
  return seen < blockTime ? seen : blockTime;
}

function statusOf({ uuid, priced, merchant }: KnownInvoice, { counted }: Money, { memory, rules }: Ending) {
  if (memory.forced.has(uuid)) return 'forcePaid';
  if (priced === null) return 'expired';
  const missing = priced.dueUnits - counted;
  const isTolerated = missing * 10_000n <= priced.dueUnits * BigInt(rules[merchant].toleranceBasisPoints);
  return isTolerated || missing < SHOWN ? 'paid' : 'expired';
}

function stateOf({ priced }: KnownInvoice, { counted, late, all }: Money, status: string) {
  if (status === 'expired') return late >= DUST ? 'late' : counted >= SHOWN ? 'partial' : 'unpaid';
  if (priced && all - priced.dueUnits >= DUST) return 'overpaid';
  return all > 0n ? 'settled' : 'unpaid';
}
