import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import type { Coin } from '@/lib/shared/coins';
import { type MadeInvoice, makeCursor, makeInvoice, makeUser, makeWallet } from '@/testing/factories';
import { custody, makeEntry, of, readHoldings, sides } from '@/testing/ledger-entries';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import type { LedgerEntry } from './entry';
import { postEntries } from './post-entries';

describe('the ledger', () => {
  let test: TestDatabase;
  let watcher: Database;
  let userId: number;
  let invoices: MadeInvoice[];

  beforeAll(async () => {
    test = await createTestDatabase();
    watcher = openDatabase(test.roleUrl('watcher'), { max: 20, applicationName: 'watcher' });
    await makeCursor(test.db.pool);
    userId = (await makeUser(test.db.pool)).id;
    invoices = [];
    for (let n = 0; n < 12; n++) invoices.push(await makeInvoice(test.db.pool, { userId }));
  });
  afterAll(async () => {
    await closeDatabase(watcher);
    await test.drop();
  });

  const invoice = (index: number) => invoices[index] ?? { walletId: 0, poolAddressId: '0' };
  const wallet = (index: number) => of(invoice(index).walletId);
  const place = (index: number) => custody(invoice(index).poolAddressId);
  const deposit = (index: number, units: bigint, other: Partial<LedgerEntry> = {}) =>
    makeEntry(
      'deposit',
      [
        [wallet(index), units],
        [place(index), units],
      ],
      other,
    );
  const reversal = (index: number, units: bigint) =>
    makeEntry('reversal', [
      [wallet(index), -units],
      [place(index), -units],
    ]);
  const send = (index: number, units: bigint) =>
    makeEntry('send', [
      [wallet(index), -units],
      [place(index), -units],
    ]);
  const post = (...entries: LedgerEntry[]) => transaction(watcher, (sql) => postEntries(sql, entries));
  /** What a wallet may spend, lost, and what lies on its address. */
  const heldBy = async (index: number) => {
    const { walletId, poolAddressId } = invoice(index);
    const own = (await readHoldings(watcher.pool)).filter(
      (holding) => holding.walletId === walletId || holding.poolAddressId === BigInt(poolAddressId),
    );
    const unitsOf = (kind: string) => own.find((holding) => holding.kind === kind)?.units ?? 0n;
    return { wallet: unitsOf('wallet'), loss: unitsOf('reorg_loss'), custody: unitsOf('custody') };
  };
  const balanceOf = async (index: number) => (await heldBy(index)).wallet;

  it('books an amount of any size exactly, and keeps the balance of the wallet', async () => {
    const huge = 2n ** 256n - 1n;
    expect(await post(deposit(0, huge))).toHaveLength(1);
    expect(await balanceOf(0)).toBe(huge);
    const { rows } = await watcher.pool.query('SELECT balance FROM ledger_account WHERE wallet_id = $1', [
      invoice(0).walletId,
    ]);
    expect(rows).toEqual([{ balance: huge }]);
  });

  it('books a fact once, however many book it at the same time', async () => {
    const before = await balanceOf(1);
    const fact = deposit(1, 5n);
    const booked = await Promise.all(Array.from({ length: 20 }, () => post(fact)));
    expect(booked.flat().map(({ entry }) => entry)).toEqual([fact]);
    expect(await balanceOf(1)).toBe(before + 5n);
    expect(await post(fact, fact)).toEqual([]);
  });

  it('takes a fact for another when its kind, its booking or its coin is another', async () => {
    const { factId } = deposit(1, 5n);
    expect(await post(deposit(1, 5n, { factId }), deposit(1, 5n, { factId, booking: 2 }))).toHaveLength(2);
    expect(await post({ ...send(1, 5n), factId }, { ...send(1, 5n), factId, fact: 'refund' })).toHaveLength(2);
  });

  it('tells where and when: the block that caused an entry, or none', async () => {
    const block = { height: 4711n, time: new Date('2026-11-20T08:00:00Z') };
    const [booked] = await post(deposit(1, 1n, { block, epoch: 3 }));
    const { rows } = await watcher.pool.query('SELECT height, chain_time, epoch FROM ledger_entry WHERE id = $1', [
      booked?.id,
    ]);
    expect(rows).toEqual([{ height: 4711n, chain_time: block.time, epoch: 3 }]);
    expect(await post(deposit(1, 1n, { block: null }))).toHaveLength(1);
    await expect(post({ ...send(1, 1n), block: null })).rejects.toThrow('ledger_entry_has_block');
  });

  it('refuses an entry whose two sides differ, and nothing of its transaction stays', async () => {
    const [beside, bad] = [deposit(1, 7n), deposit(1, 5n)];
    await expect(post(beside, { ...bad, postings: bad.postings.slice(0, 1) })).rejects.toThrow('does not balance');
    await expect(post(beside, { ...bad, postings: [] })).rejects.toThrow('has no two sides');
    await expect(
      post(
        beside,
        makeEntry('sweep', [
          [wallet(1), -5n],
          [wallet(3), 4n],
        ]),
      ),
    ).rejects.toThrow('does not balance');
    const { rowCount } = await watcher.pool.query('SELECT 1 FROM ledger_entry WHERE fact_id = ANY($1)', [
      [beside.factId, bad.factId],
    ]);
    expect(rowCount).toBe(0);
  });

  it('refuses an entry that is posted to accounts of another coin, although its two sides are the same', async () => {
    await post(deposit(1, 5n));
    await expect(post(deposit(1, 5n, { coin: 'BNB' }))).rejects.toThrow('does not balance');
    await makeWallet(test.db.pool, { poolAddressId: invoice(11).poolAddressId, userId, coin: 'BNB' });
    await expect(post(deposit(11, 5n, { coin: 'BNB' }))).rejects.toThrow('account_id');
    const swapped = transaction(test.db, async (sql) => {
      await sql.query(`WITH e AS (INSERT INTO ledger_entry (kind, coin, fact, fact_id, booking, epoch)
          VALUES ('deposit', 'BNB', 'deposit', 99, 1, 0) RETURNING id)
        INSERT INTO ledger_posting SELECT e.id, a.id, 5 FROM e, ledger_account a
        WHERE a.coin = 'ETH' AND (a.wallet_id = ${invoice(1).walletId} AND a.kind = 'wallet' OR a.pool_address_id = ${invoice(1).poolAddressId})`);
    });
    await expect(swapped).rejects.toThrow('does not balance');
  });

  it('keeps what belongs to nobody apart for each coin, and what lies on one address', async () => {
    const nobody = { kind: 'unattributed' } as const;
    const found = (coin: Coin, units: bigint) =>
      makeEntry(
        'deposit',
        [
          [nobody, units],
          [place(10), units],
        ],
        { coin },
      );
    for (const [coin, units] of [
      ['ETH', 5n],
      ['LTC', 3n],
      ['TRX', 2n],
      ['LTC', 1n],
    ] as const)
      await post(found(coin, units));
    const holdings = (await readHoldings(watcher.pool)).filter(
      ({ kind, poolAddressId }) => kind === 'unattributed' || poolAddressId === BigInt(invoice(10).poolAddressId),
    );
    expect(holdings.map(({ coin, kind, units }) => `${coin} ${kind} ${units}`).sort()).toEqual([
      ...[
        'ETH custody 5',
        'ETH unattributed 5',
        'LTC custody 4',
        'LTC unattributed 4',
        'TRX custody 2',
        'TRX unattributed 2',
      ],
    ]);
  });

  it('refuses a part of nothing, and to look from an older snapshot', async () => {
    const [nobody, fees] = [{ kind: 'unattributed' }, { kind: 'fees' }] as const;
    const parts = [
      [wallet(9), 0n],
      [nobody, 5n],
      [fees, -5n],
    ] as const;
    await expect(post(makeEntry('attribution', parts, { block: null }))).rejects.toThrow('ledger_posting_moves');
    const old = transaction(watcher, async (sql) => {
      await sql.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await postEntries(sql, [deposit(9, 1n)]);
    });
    await expect(old).rejects.toThrow('repeatable read');
  });

  it('waits for nobody who books on another wallet', async () => {
    await post(deposit(9, 1n), deposit(8, 1n));
    await transaction(test.db, async (sql) => {
      await sql.query('SELECT 1 FROM ledger_account WHERE wallet_id = $1 FOR UPDATE', [invoice(9).walletId]);
      expect(await post(deposit(8, 1n))).toHaveLength(1);
    });
  });

  it('[C15] refuses to take more than a wallet holds, or has set aside', async () => {
    await expect(post(send(2, 1n))).rejects.toThrow('ledger_balance_not_negative');
    await post(deposit(2, 5n));
    await expect(
      post(
        makeEntry('hold', [
          [wallet(2), -6n],
          [of(invoice(2).walletId, 'held'), 6n],
        ]),
      ),
    ).rejects.toThrow('ledger_balance_not_negative');
    await post(
      makeEntry('hold', [
        [wallet(2), -4n],
        [of(invoice(2).walletId, 'held'), 4n],
      ]),
    );
    await expect(post(send(2, 2n))).rejects.toThrow('ledger_balance_not_negative');
    await expect(
      post(
        makeEntry('release', [
          [wallet(2), 5n],
          [of(invoice(2).walletId, 'held'), -5n],
        ]),
      ),
    ).rejects.toThrow('ledger_balance_not_negative');
    expect(await post(send(2, 1n))).toHaveLength(1);
    expect(await balanceOf(2)).toBe(0n);
  });

  it('links what a swap took to what it gave, and refuses it alone', async () => {
    const [given] = await post(deposit(3, 8n));
    const taken = makeEntry(
      'swap_out',
      [
        [wallet(3), -3n],
        [{ kind: 'in_swap' }, -3n],
      ],
      { fact: 'swap' },
    );
    await expect(post(taken)).rejects.toThrow('ledger_entry_linked');
    const [closed] = await post({ ...taken, linkedEntryId: given?.id ?? 0n });
    const { rows } = await watcher.pool.query('SELECT linked_entry_id FROM ledger_entry WHERE id = $1', [closed?.id]);
    expect(rows).toEqual([{ linked_entry_id: given?.id }]);
  });

  it('is only written forward and through its one door, and nobody writes a balance', async () => {
    await post(deposit(3, 10n));
    for (const statement of [
      'UPDATE ledger_posting SET amount_units = 1',
      'DELETE FROM ledger_posting',
      'DELETE FROM ledger_entry',
    ]) {
      await expect(test.db.pool.query(statement)).rejects.toThrow('written forward');
    }
    for (const role of ['web', 'watcher', 'dispatcher', 'signer'] as const) {
      const db = openDatabase(test.roleUrl(role), { max: 1, applicationName: role });
      for (const statement of [
        'UPDATE ledger_account SET balance = 1',
        `INSERT INTO ledger_account (coin, kind) VALUES ('BNB', 'fees')`,
        `INSERT INTO ledger_entry (kind, coin, fact, fact_id, booking, epoch) VALUES ('deposit', 'ETH', 'deposit', 1, 1, 0)`,
        'INSERT INTO ledger_posting VALUES (1, 1, 1)',
      ])
        await expect(db.pool.query(statement)).rejects.toThrow('permission denied');
      await closeDatabase(db);
    }
  });

  describe('after a loss', () => {
    it('[B1] what was spent before a reorg took it is the loss, also of two deposits that are reversed at once', async () => {
      await post(deposit(4, 60n), deposit(4, 40n));
      await post(send(4, 30n));
      await post(reversal(4, 60n), reversal(4, 40n));
      expect(await heldBy(4)).toEqual({ wallet: 0n, loss: -30n, custody: -30n });
    });

    it('what returns repays it first and is spendable for the rest, also when two deposits return at once', async () => {
      await post(deposit(4, 20n), deposit(4, 80n));
      expect(await heldBy(4)).toEqual({ wallet: 70n, loss: 0n, custody: 70n });
    });

    it('whatever comes to the wallet repays it: money that was set aside, a sweep, money of nobody', async () => {
      const held = of(invoice(5).walletId, 'held');
      await post(
        deposit(5, 100n),
        makeEntry('hold', [
          [wallet(5), -90n],
          [held, 90n],
        ]),
        reversal(5, 100n),
      );
      expect(await heldBy(5)).toMatchObject({ wallet: 0n, loss: -90n });
      await post(
        makeEntry('release', [
          [held, -30n],
          [wallet(5), 30n],
        ]),
      );
      expect(await heldBy(5)).toMatchObject({ wallet: 0n, loss: -60n });
      await post(
        deposit(6, 25n),
        makeEntry('sweep', [
          [wallet(6), -25n],
          [wallet(5), 25n],
          [place(6), -25n],
          [place(5), 25n],
        ]),
      );
      expect(await heldBy(5)).toMatchObject({ wallet: 0n, loss: -35n });
      await post(
        makeEntry(
          'attribution',
          [
            [{ kind: 'unattributed' }, -50n],
            [wallet(5), 50n],
          ],
          { block: null },
        ),
      );
      expect(await heldBy(5)).toMatchObject({ wallet: 15n, loss: 0n });
    });

    it('a reversal and a return that book at the same time each count the other', async () => {
      await post(deposit(7, 100n));
      await post(send(7, 70n));
      const [reversed, returned] = [reversal(7, 100n), deposit(7, 90n)];
      let release = () => {};
      const mayCommit = new Promise<void>((resolve) => {
        release = resolve;
      });
      let first: Promise<void> = Promise.resolve();
      await new Promise<void>((hasBooked) => {
        first = transaction(watcher, async (sql) => {
          await postEntries(sql, [reversed]);
          hasBooked();
          await mayCommit;
        });
      });
      const second = post(returned);
      await vi
        .waitFor(async () => {
          const { rows } = await test.db.pool.query('SELECT 1 FROM pg_locks WHERE NOT granted');
          expect(rows).not.toEqual([]);
        })
        .finally(release);
      await Promise.all([first, second]);
      expect(await heldBy(7)).toEqual({ wallet: 20n, loss: 0n, custody: 20n });
    });

    it('over any sequence of deposits, spendings, reversals and returns both sides stay the same, nothing is negative, a wallet has money or a loss, and when everything returned there is none', async () => {
      const step = fc.record({
        kind: fc.constantFrom('deposit', 'spend', 'drop', 'return'),
        which: fc.nat({ max: 5 }),
        units: fc.bigInt({ min: 1n, max: 50n }),
      });
      let index = 8;
      await fc.assert(
        fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 10 }), async (calls) => {
          const before = await heldBy(index);
          const facts = { deposit: [] as Fact[], spend: [] as Fact[] };
          for (const call of calls) {
            // What a call takes away is not spent in the same call.
            const spendable = call.some(({ kind }) => kind === 'drop') ? 0n : (await heldBy(index)).wallet;
            const entries = call.flatMap((asked) => entryOf(asked, facts, spendable, call.length));
            if (entries.length > 0) await post(...entries);
            const now = await heldBy(index);
            expect(now.wallet >= 0n && now.loss <= 0n && (now.wallet === 0n || now.loss === 0n)).toBe(true);
            const { custody: places, ownership } = sides(await readHoldings(watcher.pool));
            expect(ownership).toBe(places);
          }
          for (const fact of [...facts.deposit, ...facts.spend].filter(({ isLive }) => !isLive)) await post(flip(fact));
          const gained =
            facts.deposit.reduce((total, { units }) => total + units, 0n) -
            facts.spend.reduce((total, { units }) => total + units, 0n);
          const after = await heldBy(index);
          expect(after).toEqual({ wallet: before.wallet + gained, loss: 0n, custody: before.custody + gained });
        }),
        { numRuns: 30 },
      );
      index += 1;

      /** What is set aside is sent; when a reorg drops it, it is set aside again. */
      function held() {
        return of(invoice(index).walletId, 'held');
      }
      interface Fact {
        kind: 'deposit' | 'spend';
        factId: bigint;
        units: bigint;
        isLive: boolean;
        booking: number;
      }
      function entryOf(
        asked: { kind: string; which: number; units: bigint },
        facts: Record<'deposit' | 'spend', Fact[]>,
        spendable: bigint,
        shares: number,
      ): LedgerEntry[] {
        if (asked.kind === 'deposit' || asked.kind === 'spend') {
          const share = spendable / BigInt(shares);
          const units = asked.kind === 'deposit' || asked.units < share ? asked.units : share;
          if (units === 0n) return [];
          const fact: Fact = { kind: asked.kind, factId: deposit(index, 1n).factId, units, isLive: false, booking: 0 };
          facts[asked.kind].push(fact);
          const hold = makeEntry(
            'hold',
            [
              [wallet(index), -units],
              [held(), units],
            ],
            { factId: fact.factId },
          );
          return asked.kind === 'spend' ? [hold, flip(fact)] : [flip(fact)];
        }
        const fact = [...facts.deposit, ...facts.spend][asked.which];
        if (!fact || fact.isLive !== (asked.kind === 'drop')) return [];
        return [flip(fact)];
      }
      /** Books a fact, or takes it back. */
      function flip(fact: Fact): LedgerEntry {
        fact.isLive = !fact.isLive;
        if (fact.isLive) fact.booking += 1;
        const units = (fact.kind === 'deposit') === fact.isLive ? fact.units : -fact.units;
        const kind = fact.isLive ? (fact.kind === 'deposit' ? 'deposit' : 'send') : 'reversal';
        return makeEntry(
          kind,
          [
            [fact.kind === 'deposit' ? wallet(index) : held(), units],
            [place(index), units],
          ],
          {
            fact: fact.kind === 'deposit' ? 'deposit' : 'withdrawal',
            factId: fact.factId,
            booking: fact.booking,
          },
        );
      }
    }, 60_000);
  });

  it('keeps every balance equal to the sum of its postings and both sides the same, under concurrent random bookings [I1] [I2]', async () => {
    const move = fc.record({
      from: fc.integer({ min: 0, max: 3 }),
      to: fc.integer({ min: 0, max: 3 }),
      units: fc.bigInt({ min: 1n, max: 40n }),
    });
    await post(deposit(0, 50n), deposit(1, 50n), deposit(2, 50n), deposit(3, 50n));
    await Promise.all(
      fc.sample(move, 200).map(({ from, to, units }) =>
        post(
          makeEntry('sweep', [
            [wallet(from), -units],
            [wallet(to), units],
          ]),
        ).catch(() => undefined),
      ),
    );
    const holdings = await readHoldings(watcher.pool);
    const kept = holdings.filter(({ walletId }) => walletId !== null);
    expect(kept.filter(({ balance, units }) => balance !== units)).toEqual([]);
    const { custody: places, ownership } = sides(holdings);
    expect(ownership).toBe(places);
  });
});
