import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import type { LedgerAccount, LedgerEntry } from '@/lib/ledger/entry';
import { postEntries } from '@/lib/ledger/post-entries';
import type { Coin } from '@/lib/shared/coins';
import { type MadeInvoice, makeCursor, makeInvoice, makePool, makeUser, makeWallet } from '@/testing/factories';
import { custody, makeEntry, of } from '@/testing/ledger-entries';
import { seenAfter } from '@/testing/tampered-books';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { auditBookings } from './booking-audit-repository';

const NOW = new Date('2026-11-28T12:00:00Z');
const LONG_AGO = "'2026-11-28 11:00:00+00'";
const UNITS = 100n;
const NOBODY: LedgerAccount = { kind: 'unattributed' };

interface MadeDeposit {
  name: string;
  coin?: Coin;
  wallet: number | null;
  address: string;
  height?: number;
  /** Further columns. */
  but?: Record<string, string>;
}

describe('the proof of bookings', () => {
  let test: TestDatabase;
  let superuser: Database;
  let first: MadeInvoice;
  let second: MadeInvoice;
  let beside: { id: number };
  const ids = new Map<string, string>();
  const idOf = (name: string) => ids.get(name) ?? '';

  async function make({ name, coin = 'ETH', wallet, address, height = 100, but = {} }: MadeDeposit): Promise<void> {
    const chain = coin === 'ETH' ? 'ethereum' : 'bsc';
    const columns = { block_time: LONG_AGO, seen_at: LONG_AGO, posted_at: LONG_AGO, bookings: '1', ...but };
    const { rows } = await test.db.pool.query(
      `INSERT INTO deposit (coin, chain, transfer_key, tx_hash, pool_address_id, wallet_id, amount_units, block_height, block_hash, ${Object.keys(columns)})
       VALUES ($1, $2, $3, $3, $4, $5, ${UNITS}, $6, '0xblock', ${Object.values(columns)}) RETURNING id`,
      [coin, chain, name, address, wallet, height],
    );
    ids.set(name, String(rows[0]?.id));
  }

  /** An entry of a deposit: what comes to an account, and to the address. */
  const entry = (
    kind: LedgerEntry['kind'],
    name: string,
    postings: [LedgerAccount, bigint][],
    { booking = 1, height = 100n, coin = 'ETH' as Coin } = {},
  ) =>
    makeEntry(kind, postings, {
      ...{ coin, fact: 'deposit', factId: BigInt(idOf(name)), booking },
      block: kind === 'attribution' ? null : { height, time: NOW },
    });

  beforeAll(async () => {
    test = await createTestDatabase();
    superuser = openDatabase(test.superuserUrl, { max: 1, applicationName: 'test-superuser' });
    const { pool } = test.db;
    await makeCursor(pool, { height: 200n, confirmations: 11, time: NOW });
    // Further than the other chain, on which nothing of it is booked later therefore.
    await makeCursor(pool, { chain: 'bsc', height: 9_000n, time: new Date(NOW.getTime() + 3_600_000) });
    const { id: userId } = await makeUser(pool);
    first = await makeInvoice(pool, { userId });
    second = await makeInvoice(pool, { userId });
    beside = await makeWallet(pool, { poolAddressId: first.poolAddressId, userId, coin: 'BNB' });
    await makePool(pool, { count: 1 });
    const free = String((await pool.query('SELECT max(id) AS id FROM pool_address')).rows[0]?.id);
    const [mine, others] = [
      { wallet: first.walletId, address: first.poolAddressId },
      { wallet: second.walletId, address: second.poolAddressId },
    ];
    await make({ name: 'plain', ...mine });
    await make({ name: 'returned', ...others, height: 105, but: { bookings: '2' } });
    await make({ name: 'lost', ...others, height: 195, but: { posted_at: 'NULL' } });
    await make({ name: 'nobody', wallet: null, address: free });
    await make({ name: 'given', wallet: second.walletId, address: free });
    await make({ name: 'beside', wallet: beside.id, address: first.poolAddressId, coin: 'BNB' });
    const unbooked = { posted_at: 'NULL', bookings: '0' };
    await make({ name: 'young', ...mine, height: 191, but: unbooked });
    await make({
      name: 'confirmed just now',
      ...mine,
      height: 190,
      but: { ...unbooked, block_time: "'2026-11-28 11:50:00+00'" },
    });
    await make({ name: 'needs more', ...mine, height: 190, but: { ...unbooked, extra_confirmations: '12' } });
    await make({ name: 'orphaned', ...mine, but: { ...unbooked, orphaned_at: 'now()' } });
    await make({ name: 'of a chain that was replaced', ...mine, but: { ...unbooked, epoch: '1' } });
    const [at, wallet, byOther, freely] = [
      custody(first.poolAddressId),
      of(first.walletId),
      of(second.walletId),
      custody(free),
    ];
    const there = custody(second.poolAddressId);
    await transaction(test.db, (sql) =>
      postEntries(sql, [
        entry('deposit', 'plain', [
          [wallet, UNITS],
          [at, UNITS],
        ]),
        // Of another fact with the same number.
        makeEntry(
          'network_fee',
          [
            [wallet, -1n],
            [at, -1n],
          ],
          { factId: BigInt(idOf('plain')) },
        ),
        entry('deposit', 'returned', [
          [byOther, UNITS],
          [there, UNITS],
        ]),
        entry('reversal', 'returned', [
          [byOther, -UNITS],
          [there, -UNITS],
        ]),
        entry(
          'deposit',
          'returned',
          [
            [byOther, UNITS],
            [there, UNITS],
          ],
          { booking: 2, height: 105n },
        ),
        entry('deposit', 'lost', [
          [byOther, UNITS],
          [there, UNITS],
        ]),
        entry('reversal', 'lost', [
          [byOther, -UNITS],
          [there, -UNITS],
        ]),
        entry('deposit', 'nobody', [
          [NOBODY, UNITS],
          [freely, UNITS],
        ]),
        entry('deposit', 'given', [
          [NOBODY, UNITS],
          [freely, UNITS],
        ]),
        entry('attribution', 'given', [
          [NOBODY, -UNITS],
          [byOther, UNITS],
        ]),
        entry(
          'deposit',
          'beside',
          [
            [of(beside.id), UNITS],
            [at, UNITS],
          ],
          { coin: 'BNB' },
        ),
      ]),
    );
    await pool.query(`INSERT INTO deposit_attribution (deposit_id, wallet_id, operator) VALUES ($1, $2, 'anna')`, [
      idOf('given'),
      second.walletId,
    ]);
  });
  afterAll(async () => {
    await closeDatabase(superuser);
    await test.drop();
  });

  const found = (statements: string[], coin: Coin = 'ETH') =>
    seenAfter(superuser, statements, async (sql) => {
      const { listed } = await auditBookings(sql, coin);
      return listed.map(({ kind, subject, expected, actual }) => [kind, subject, expected, actual]);
    });
  const set = (name: string, columns: string) => `UPDATE deposit SET ${columns} WHERE id = ${idOf(name)}`;
  const account = (kind: string, id: number | string, coin: Coin = 'ETH') =>
    `(SELECT id FROM ledger_account WHERE kind = '${kind}' AND coin = '${coin}'
       AND ${kind === 'custody' ? 'pool_address_id' : 'wallet_id'} = ${id})`;
  const entryOf = (name: string) =>
    `(SELECT max(id) FROM ledger_entry WHERE fact = 'deposit' AND kind = 'deposit' AND fact_id = ${idOf(name)})`;
  const booking = (name: string, note: string, [expected, actual]: [bigint, bigint]) => [
    ...['booking', `booking of deposit ${idOf(name)} in transaction ${name}${note}`, String(expected), String(actual)],
  ];
  const forgotten = (name: string) => [
    ...['booking', `confirmed deposit ${idOf(name)} in transaction ${name} (not booked)`, String(UNITS), '0'],
  ];
  /** Adds postings to a deposit under an entry of its own. */
  const added = (kind: string, name: string, ...postings: [account: string, units: bigint][]) => [
    `WITH e AS (INSERT INTO ledger_entry (kind, coin, fact, fact_id, booking, epoch)
       VALUES ('${kind}', 'ETH', 'deposit', ${idOf(name)}, 9, 0) RETURNING id)
     INSERT INTO ledger_posting (entry_id, account_id, amount_units)
       SELECT e.id, p.account, p.units FROM e, (VALUES ${postings.map(([to, units]) => `(${to}, ${units})`)}) p (account, units)`,
  ];

  it('finds nothing in what the product wrote: booked, taken back, returned, of nobody, given, and not yet due', async () => {
    expect(await found([])).toEqual([]);
    expect(await found([], 'BNB')).toEqual([]);
  });

  it('finds a deposit that says it is booked and is not, or is and does not say so', async () => {
    expect(await found([set('plain', 'posted_at = NULL, block_height = 195')])).toEqual([
      booking('plain', ' (1 live entries instead of 0)', [0n, UNITS]),
    ]);
    expect(await found([set('young', 'posted_at = now()')])).toEqual([
      booking('young', ' (0 live entries instead of 1)', [UNITS, 0n]),
    ]);
  });

  it('finds a deposit that is booked twice', async () => {
    const statements = added(
      'deposit',
      'plain',
      [account('custody', first.poolAddressId), UNITS],
      [account('wallet', first.walletId), UNITS],
    );
    expect(await found(statements)).toEqual([booking('plain', ' (2 live entries instead of 1)', [UNITS, 2n * UNITS])]);
  });

  it('finds money that is booked on another address, also when nothing is missing on its own', async () => {
    const there = account('custody', second.poolAddressId);
    const moved = `UPDATE ledger_posting SET account_id = ${there}
      WHERE entry_id = ${entryOf('plain')} AND account_id = ${account('custody', first.poolAddressId)}`;
    expect(await found([moved])).toEqual([booking('plain', ' (on another address)', [UNITS, 0n])]);
    const nowhere = `(SELECT id FROM ledger_account WHERE kind = 'custody' AND coin = 'ETH'
      AND pool_address_id = (SELECT pool_address_id FROM deposit WHERE id = ${idOf('nobody')}))`;
    expect(await found(added('attribution', 'plain', [there, 5n], [nowhere, -5n]))).toEqual([
      booking('plain', ' (on another address)', [UNITS, UNITS]),
    ]);
  });

  it('finds money that another owner has, and money that is less than what came', async () => {
    const moved = `UPDATE ledger_posting SET account_id = ${account('wallet', second.walletId)}
      WHERE entry_id = ${entryOf('plain')} AND account_id = ${account('wallet', first.walletId)}`;
    expect(await found([moved])).toEqual([booking('plain', '', [UNITS, 0n])]);
    const inPlace = `UPDATE ledger_posting SET amount_units = 99
      WHERE entry_id = ${entryOf('plain')} AND account_id = ${account('custody', first.poolAddressId)}`;
    expect(await found([inPlace])).toEqual([booking('plain', '', [UNITS, 99n])]);
    const less = `UPDATE ledger_posting SET amount_units = 99 WHERE entry_id = ${entryOf('plain')}`;
    expect(await found([less])).toEqual([booking('plain', '', [UNITS, 99n])]);
  });

  it('finds an entry in another block than its deposit', async () => {
    const misdated = [`UPDATE ledger_entry SET height = 99 WHERE id = ${entryOf('plain')}`];
    expect(await found(misdated)).toEqual([booking('plain', ' (in another block)', [UNITS, UNITS])]);
  });

  it('finds entries of a deposit that is not there', async () => {
    const gone = [`DELETE FROM deposit WHERE id = ${idOf('plain')}`];
    const subject = `booking of deposit ${idOf('plain')} (unknown) (1 live entries instead of 0)`;
    expect(await found(gone)).toEqual([['booking', subject, '0', String(UNITS)]]);
  });

  it('finds a deposit that somebody has to whom nobody gave it', async () => {
    const give = (name: string, to: number, from: string) => [
      set(name, `wallet_id = ${to}`),
      `UPDATE ledger_posting SET account_id = ${account('wallet', to)}
         WHERE account_id = ${from} AND entry_id IN (SELECT id FROM ledger_entry WHERE fact = 'deposit' AND fact_id = ${idOf(name)})`,
    ];
    const [own, others] = [account('wallet', first.walletId), account('wallet', second.walletId)];
    const given = (name: string) => [booking(name, ' (given to a wallet by nobody)', [0n, UNITS])];
    expect(await found(give('plain', second.walletId, own))).toEqual(given('plain'));
    expect(await found(give('given', first.walletId, others))).toEqual(given('given'));
    // On its own address, but in another coin.
    expect(await found([set('plain', `wallet_id = ${beside.id}`)])).toEqual(given('plain'));
  });

  it('finds a deposit that was forgotten ten minutes after it was confirmed, to the block and the moment', async () => {
    expect(await found([set('young', 'block_height = 190')])).toEqual([forgotten('young')]);
    expect(await found([set('needs more', 'extra_confirmations = 11')])).toEqual([forgotten('needs more')]);
    expect(await found([set('confirmed just now', "block_time = block_time - interval '1 ms'")])).toEqual([
      forgotten('confirmed just now'),
    ]);
    expect(await found([set('of a chain that was replaced', 'epoch = 0')])).toEqual([
      forgotten('of a chain that was replaced'),
    ]);
    expect(await found([set('of a chain that was replaced', 'epoch = 0')], 'BNB')).toEqual([]);
  });
});
