import type { Database } from '@/lib/db/database';
import { collectMutants } from './collect';
import { strayFunctions } from './database-mutants';
import { forgottenReasons } from './equivalents';
import { MODULES, MUTATED } from './modules';
import type { Mutant } from './mutant';

/** A mutant that would cost money, and the test that stands against it: the short form of the run, part of `npm test`. */
interface Dangerous {
  mutant: string;
  file: string;
  /** Of the test that sees it. */
  testName: string;
}

const RECORDS = 'lib/chain-sync/record-blocks';
const CURSOR = 'lib/chain-sync/cursor-repository';
const EPOCHS = 'lib/chain-sync/epochs';
const GUARDS = 'lib/invoices/settlement-guards';
const IN_TIME = 'lib/invoices/in-time';

const DANGEROUS: readonly Dangerous[] = [
  {
    mutant: 'finality falls when a node that lags tells an older one',
    file: RECORDS,
    testName: 'finality never falls',
  },
  { mutant: 'a chain that an operator stopped is read on', file: RECORDS, testName: 'pause stops recording' },
  { mutant: "a watcher's pause takes the place of an operator's", file: CURSOR, testName: 'of an operator stays' },
  { mutant: 'a roll-back keeps the blocks that were replaced', file: CURSOR, testName: 'forgets the blocks' },
  {
    mutant: 'chain-sync.note-head: without "lease_token = $token"',
    file: CURSOR,
    testName: 'is not written under a lease that was lost',
  },
  {
    mutant: 'the generation of the pool is read after its rows',
    file: 'lib/chain-sync/watched-addresses',
    testName: 'is not called loaded',
  },
  {
    mutant: 'a second reversal of a wallet ignores the first',
    file: 'lib/deposits/bookings',
    testName: 'of two payments of one wallet',
  },
  {
    mutant: 'check_entry_balance(): without "bool_or(a."coin" <> e."coin")"',
    file: 'lib/ledger/guards',
    testName: 'of another coin',
  },
  { mutant: 'trigger ledger_posting_balances', file: 'lib/ledger/post-entries', testName: 'whose two sides differ' },
  { mutant: 'deposits.lock-unbooked: without "epoch = $epoch"', file: EPOCHS, testName: 'never booked on the new one' },
  { mutant: 'deposits.lock-lost: without "epoch = $epoch"', file: EPOCHS, testName: 'is not reversed by a roll-back' },
  { mutant: 'deposits.orphan: without "epoch = $epoch"', file: EPOCHS, testName: 'takes back nothing of the chain' },
  {
    mutant: 'invoices.settlement-facts: without "d.epoch = i.chain_epoch"',
    file: EPOCHS,
    testName: 'does not pay what was to be paid on the old one',
  },
  { mutant: 'invoice_facts(): without "d."epoch" = "i"."chain_epoch""', file: GUARDS, testName: 'of another epoch' },
  {
    mutant: 'settle_invoices(): without the command "PERFORM "check_settlement"',
    file: GUARDS,
    testName: 'with other sums than the facts',
  },
  {
    mutant: 'invoices.settlement-facts: least becomes greatest',
    file: IN_TIME,
    testName: 'what of one was before its end',
  },
  { mutant: 'invoice_facts(): least becomes greatest', file: IN_TIME, testName: 'what of one was before its end' },
  {
    mutant: 'post_entries(): without the command "PERFORM 1 FROM "ledger_account"',
    file: 'lib/ledger/post-entries',
    testName: 'each count the other',
  },
  {
    mutant: 'ledger.select-holdings: without "a.coin = $coin::coin"',
    file: 'lib/ledger/book-chain-reset',
    testName: 'of its coin and of no other',
  },
  {
    mutant: 'ledger.compare-entries: without "bool_or(a.coin <> e.coin)" (2)',
    file: 'lib/ledger/difference-repository',
    testName: 'with a part in another coin',
  },
  {
    mutant: 'invoices.queued: without "NOT EXISTS (SELECT 1 FROM chain_cursor',
    file: 'lib/invoices/due-repository',
    testName: 'while a branch of its own chain',
  },
  {
    mutant: 'invoices.expirable: without "i.expires_at < c.chain_time - (g.seconds +',
    file: 'lib/invoices/expiry-repository',
    testName: 'later by what its watcher was down',
  },
  {
    mutant: `note_event(): without ""of_type" = 'invoice.paymentLate'"`,
    file: 'lib/invoices/note-event',
    testName: 'is refused of an invoice',
  },
  {
    mutant: 'incassa_watcher may write invoice',
    file: 'testing/rights.integration',
    testName: 'are those of the written matrix',
  },
];

/**
 * The mutants of the short form.
 * @throws Error when one is not made any more, or one that is listed as equivalent is not, or a function belongs to no module
 */
export async function dangerousMutants(root: string, db: Database): Promise<(Dangerous & { made: Mutant })[]> {
  const strays = await strayFunctions(db.pool);
  if (strays.length > 0) throw new Error(`No module has ${strays.join(', ')}: mend testing/mutants/modules.ts.`);
  const all: Mutant[] = [];
  const names: string[] = [];
  for (const module of MODULES) {
    const { mutants, equivalents } = await collectMutants(root, db, MUTATED[module]);
    all.push(...mutants);
    names.push(...[...mutants, ...equivalents].map(({ name }) => name));
  }
  const forgotten = forgottenReasons(names);
  if (forgotten.length > 0)
    throw new Error(`No mutant is like ${forgotten.join(', ')}: mend testing/mutants/equivalents.ts.`);
  return DANGEROUS.map((dangerous) => {
    const made = all.find(({ name }) => name.startsWith(dangerous.mutant));
    if (!made) throw new Error(`No mutant is called "${dangerous.mutant}": mend testing/mutants/dangerous-mutants.ts.`);
    return { ...dangerous, made };
  });
}
