import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import type { LedgerEntry } from '@/lib/ledger/entry';
import { postEntries } from '@/lib/ledger/post-entries';
import { makeCursor, makeInvoice, makeUser } from '@/testing/factories';
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
      const { walletId } = await makeInvoice(owner.pool, { userId });
      const bound = await bookingRate(owner, walletId, 'empty');
      tell(`empty: ${Math.round(bound)}/s; filling with ${FILL} entries…`);
      await fill(database.superuserUrl);
      const figure = await bookingRate(owner, walletId, 'full');
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

async function bookingRate(owner: Database, walletId: number, label: string): Promise<number> {
  const entry = (n: number): LedgerEntry => ({
    key: `${label}:${n}`,
    kind: 'deposit',
    coin: 'ETH',
    postings: [
      { account: { kind: 'wallet', walletId }, amountUnits: 7n },
      { account: { kind: 'chain' }, amountUnits: -7n },
    ],
  });
  const begun = performance.now();
  for (let n = 0; n < BOOKINGS; n++) await transaction(owner, (sql) => postEntries(sql, [entry(n)]));
  return BOOKINGS / ((performance.now() - begun) / 1000);
}

/** Entries that were booked in earlier years; the triggers, which check each booking, are off while they are copied in. */
async function fill(superuserUrl: string): Promise<void> {
  const superuser = openDatabase(superuserUrl, { max: 1, applicationName: 'bench' });
  await transaction(superuser, async (sql) => {
    await sql.query('SET LOCAL statement_timeout = 0');
    await sql.query('SET LOCAL session_replication_role = replica');
    await sql.query(
      `WITH e AS (INSERT INTO ledger_entry (key, kind, coin) SELECT 'fill:' || n, 'deposit', 'ETH' FROM generate_series(1, ${FILL}) n RETURNING id)
       INSERT INTO ledger_posting (entry_id, account_id, amount_units)
       SELECT e.id, a.id, CASE a.kind WHEN 'chain' THEN -1 ELSE 1 END FROM e, ledger_account a WHERE a.kind IN ('wallet', 'chain')`,
    );
  });
  await superuser.pool.query('ANALYZE ledger_entry, ledger_posting');
  await closeDatabase(superuser);
}
