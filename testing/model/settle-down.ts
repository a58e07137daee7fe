import { reconcile } from '@/lib/reconciliation/reconcile';
import { checkOutcome } from './check-outcome';
import type { Memory } from './memory';
import { Violation } from './violation';
import type { World } from './world';

/** Longer than any invoice is open and any reversal waits. */
const EVERYTHING_IS_OVER_SECONDS = 50 * 3600;
/** All that happened is confirmed by then, and final. */
const BLOCKS = 80;

/**
 * The end of a run: faults are healed, what waits is mined and confirmed, all time is over, and the processes do their work.
 * @throws Violation
 */
export async function settleDown(world: World, memory: Memory): Promise<void> {
  world.node.heal();
  world.chain.mine();
  await world.catchUp();
  await world.inspect(memory);
  world.chain.advance(EVERYTHING_IS_OVER_SECONDS);
  world.chain.mine(BLOCKS);
  await world.catchUp();
  await world.expire();
  await world.inspect(memory, { isExpiryDone: true });
  const { cursor, queued } = world.books;
  if (cursor?.hash !== world.chain.tip.hash || cursor.pausedReason !== null)
    throw new Violation('in the end the head is reached', cursor);
  if (queued.length > 0) throw new Violation('in the end nothing is undecided', queued);
  await requireReconciled(world);
  checkOutcome({ books: world.books, memory, chain: world.chain, rules: world.rules });
}

/** The product's own comparison of chain, ledger and invoices finds everything explained. */
async function requireReconciled({ databases, node, clock }: World): Promise<void> {
  const report = await reconcile(databases.dispatcher, 'ETH', node, {
    clock,
    signal: new AbortController().signal,
    addresses: 'all',
    closedDays: null,
    withUnpriced: true,
  });
  const { notCompared, differenceCount, completeness, settlementBacklog, lateInvoiceCount } = report;
  const isClean =
    notCompared === null && completeness === 1 && differenceCount + settlementBacklog + lateInvoiceCount === 0;
  if (!isClean) throw new Violation('I4 in the end ledger and chain are reconciled', report);
}
