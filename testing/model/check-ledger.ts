import type { Books } from './books';
import { Violation } from './violation';

const KEPT = ['wallet', 'held', 'reorg_loss'];

/** Kinds of accounts that say where money lies; the others say whose it is. */
const isPlace = (kind: string) => kind === 'custody' || kind === 'in_swap';

/** What owners have less what lies at places. */
const balance = (parts: readonly { kind: string; units: string }[]) =>
  parts.reduce((total, { kind, units }) => total + (isPlace(kind) ? -BigInt(units) : BigInt(units)), 0n);

/**
 * I1: the two sides of every entry are the same, and so those of the coin. I2: no wallet is negative, what it holds is the sum
 * of its postings, and it has money to spend or a loss, never both.
 * @throws Violation
 */
export function checkLedger({ entries, accounts }: Books): void {
  for (const entry of entries) {
    const parts = entry.postings.map(({ account, units }) => ({ kind: account, units }));
    if (parts.length < 2 || balance(parts) !== 0n) throw new Violation('I1 the sides of an entry are the same', entry);
  }
  if (balance(accounts.map(({ kind, postings }) => ({ kind, units: postings }))) !== 0n)
    throw new Violation('I1 the sides of a coin are the same', accounts);
  for (const account of accounts.filter(({ kind }) => KEPT.includes(kind))) {
    const units = BigInt(account.balance);
    if (account.kind === 'reorg_loss' ? units > 0n : units < 0n)
      throw new Violation('I2 no wallet is negative', account);
    if (account.balance !== account.postings) throw new Violation('I2 a balance is the sum of its postings', account);
    const loss = accounts.find(({ kind, walletId }) => kind === 'reorg_loss' && walletId === account.walletId);
    if (account.kind === 'wallet' && units > 0n && BigInt(loss?.balance ?? 0) < 0n)
      throw new Violation('I2 a wallet has money to spend or a loss', { account, loss });
  }
}
