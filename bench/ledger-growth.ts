import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import type { LedgerEntry } from '@/lib/ledger/entry';
import { postEntries } from '@/lib/ledger/post-entries';
import { type MadeInvoice, makeCursor, makeInvoice, makeUser } from '@/testing/factories';
import { startBenchDatabase } from './bench-database';
import type { Scenario } from './scenario';

const FILL = 1_000_000;
const BOOKINGS = 500;
const TARGET = 0.5;

/** Bookings per second into an empty ledger, and into one with a million entries: the ledger stays fast as it grows. */
export const ledgerGrowth: Scenario = {
  name: 'ledger-growth',
  async run(tell) {
    const database = await startBenchDatabase();
    const owner = openDatabase(database.ownerUrl, { max: 2, applicationName: 'bench' });
    try {
      await makeCursor(owner.pool);
      const { id: userId } = await makeUser(owner.pool);
      const invoice = await makeInvoice(owner.pool, { userId });
      const bound = await bookingRate(owner, invoice, 1);
      tell(`empty: ${Math.round(bound)}/s; filling with ${FILL} entries…`);
      await fill(database.superuserUrl);
      const figure = await bookingRate(owner, invoice, 2);
      const ratio = figure / bound;
      return [
        {
          name: 'ledger-growth',
          figure: Math.round(figure),
          unit: 'bookings/s',
          bound: Math.round(bound),
          ratio: Number(ratio.toFixed(2)),
          target: `>= ${TARGET} of an empty ledger, with ${FILL} entries`,
          met: ratio >= TARGET,
          memoryMb: Math.round(process.memoryUsage().rss / 2 ** 20),
        },
      ];
    } finally {
      await closeDatabase(owner);
      await database.stop();
    }
  },
};

/** @param booking makes the facts of this round its own */
async function bookingRate(owner: Database, invoice: MadeInvoice, booking: number): Promise<number> {
  const entry = (n: number): LedgerEntry => ({
    kind: 'deposit',
    coin: 'ETH',
    fact: 'deposit',
    factId: BigInt(n),
    booking,
    epoch: 0,
    block: { height: 100n, time: new Date() },
    postings: [
      { account: { kind: 'wallet', walletId: invoice.walletId }, amountUnits: 7n },
      { account: { kind: 'custody', poolAddressId: BigInt(invoice.poolAddressId) }, amountUnits: 7n },
    ],
  });
  const begun = performance.now();
  for (let n = 0; n < BOOKINGS; n++) await transaction(owner, (sql) => postEntries(sql, [entry(n)]));
  return BOOKINGS / ((performance.now() - begun) / 1000);
}

/**
 * Entries that were booked in earlier years, in steps that end before the driver gives up; the triggers, which check each
 * booking, are off while they are copied in.
 */
async function fill(superuserUrl: string): Promise<void> {
  const superuser = openDatabase(superuserUrl, { max: 1, applicationName: 'bench' });
  for (let from = 1; from <= FILL; from += FILL / 20) {
    await transaction(superuser, async (sql) => {
      await sql.query('SET LOCAL session_replication_role = replica');
      await sql.query(
        `WITH e AS (INSERT INTO ledger_entry (kind, coin, fact, fact_id, booking, epoch, height, chain_time)
           SELECT 'deposit', 'ETH', 'deposit', n, 3, 0, n / 10, now() FROM generate_series($1::bigint, $2::bigint) n RETURNING id)
         INSERT INTO ledger_posting (entry_id, account_id, amount_units)
         SELECT e.id, a.id, 1 FROM e, ledger_account a WHERE a.kind IN ('wallet', 'custody')`,
        [from, from + FILL / 20 - 1],
      );
    });
  }
  await superuser.pool.query('ANALYZE ledger_entry, ledger_posting');
  await closeDatabase(superuser);
}
