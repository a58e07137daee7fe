import type { Books } from './books';
import { Violation } from './violation';

const sum = (units: readonly string[]) => units.reduce((total, unit) => total + BigInt(unit), 0n);

/**
 * I1: every entry, and so each coin, sums to zero. I2: no wallet is negative, and what it holds is the sum of its postings.
 * @throws Violation
 */
export function checkLedger({ entries, accounts }: Books): void {
  for (const entry of entries) {
    if (entry.postings.length < 2 || sum(entry.postings.map(({ units }) => units)) !== 0n)
      throw new Violation('I1 an entry sums to zero', entry);
  }
  const total = sum(accounts.map(({ postings }) => postings));
  if (total !== 0n) throw new Violation('I1 a coin sums to zero', accounts);
  for (const account of accounts.filter(({ kind }) => kind === 'wallet' || kind === 'held')) {
    if (BigInt(account.balance) < 0n) throw new Violation('I2 no wallet is negative', account);
    if (account.balance !== account.postings) throw new Violation('I2 a balance is the sum of its postings', account);
  }
}
