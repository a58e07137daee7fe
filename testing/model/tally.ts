import type { Books } from './books';
import type { Memory } from './memory';

/** Counts what happened in all runs, so that a test can see that nothing of it is missing. */
export class Tally {
  steps = 0;
  readonly byOutcome = new Map<string, number>();

  add(what: string): void {
    this.byOutcome.set(what, (this.byOutcome.get(what) ?? 0) + 1);
  }

  /** Notes how a run ended after how many steps, and which changes of status it saw. */
  count({ invoices, deposits }: Books, { steps, happened }: Pick<Memory, 'steps' | 'happened'>): void {
    this.steps += steps;
    for (const what of happened) this.add(what);
    for (const invoice of invoices) {
      this.add(`${invoice.status} ${invoice.paymentState}`);
      for (const { from, to } of invoice.events) this.add(`${from}>${to}`);
    }
    for (const { walletId, isOrphaned } of deposits) {
      if (walletId === null) this.add('deposit of nobody');
      this.add(isOrphaned ? 'deposit orphaned' : 'deposit live');
    }
  }
}
