import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { COIN_INFO } from '@/lib/shared/coins';
import { leastToldUnits, smallestShownUnits } from '@/lib/shared/money';
import { addMoney, CHAIN_TIME, type Claim, claim, claimedInvoice, DUE, type Money } from '@/testing/claimed-settlement';
import { makeCursor, makeUser } from '@/testing/factories';
import { callFromOldSnapshot, holdsInvoice } from '@/testing/open-transaction';
import { settleDoor } from '@/testing/settle-door';
import { ON_BSC } from '@/testing/special-deposits';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';

const SHOWN = smallestShownUnits('ETH');
const TOLD = leastToldUnits('ETH');
const FORCED = COIN_INFO.ETH.forceThresholdUnits;
const UNFOUNDED = 'settlement_founded';
/** Of an invoice that ended an hour before CHAIN_TIME: what came a minute before it is late. */
const OVER = { endsAt: -3600 };

/** Whoever calls: the database writes a decision only when the facts carry it. */
describe('a settlement', () => {
  let test: TestDatabase;
  let web: Database;

  beforeAll(async () => {
    test = await createTestDatabase();
    web = openDatabase(test.roleUrl('web'), { max: 4, applicationName: 'web' });
    // What holds for another coin decides nothing here.
    await test.db.pool.query(
      `INSERT INTO coin_rule SELECT 'BNB', 'bsc', family, has_own_key, decimals, 1, 1, 1, 0 FROM coin_rule WHERE coin = 'ETH'`,
    );
    await makeCursor(test.db.pool, { chain: 'bsc', height: 9_000n });
  });
  afterAll(async () => {
    await closeDatabase(web);
    await test.drop();
  });
  beforeEach(async () => {
    await makeCursor(test.db.pool, { height: 100n, time: CHAIN_TIME });
    await test.db.pool.query(`UPDATE chain_cursor SET epoch = 0`);
  });

  type Given = Parameters<typeof claimedInvoice>[1];
  const answerOf = async (given: Given, what: Claim) => claim(web, await claimedInvoice(test.db.pool, given), what);
  const paidWith = (units: bigint): Claim => ({ to: 'paid', as: 'settled', paid: units });
  const full: Given = { money: [{}] };

  it('that is founded is written, and one of another version or of no invoice changes nothing', async () => {
    const invoice = await claimedInvoice(test.db.pool, full);
    expect(await claim(web, invoice, { ...paidWith(DUE), version: 7 })).toBe('changed');
    expect(await claim(web, { id: 0 }, { ...paidWith(DUE), version: 0 })).toBe('changed');
    expect(await claim(web, invoice, paidWith(DUE))).toBe('carried');
    expect(await claim(web, invoice, { ...paidWith(DUE), version: 0 })).toBe('changed');
    const { rows } = await test.db.pool.query('SELECT status, version FROM invoice WHERE id = $1', [invoice.id]);
    expect(rows).toEqual([{ status: 'paid', version: 1 }]);
    const { rows: changes } = await test.db.pool.query<{ at: Date }>(
      "SELECT at FROM invoice_status_change WHERE invoice_id = $1 AND status = 'paid'",
      [invoice.id],
    );
    expect(
      changes.map(({ at }) => at > new Date(Date.now() - 60_000)),
      'dated when it changed',
    ).toEqual([true]);
  });

  it.each<[string, Partial<Claim>]>([
    ['received more', { received: DUE + 1n }],
    ['received less', { received: DUE - 1n }],
    ['more counted', { paid: DUE + 1n, confirmed: DUE, received: DUE }],
    ['less confirmed', { confirmed: DUE - 1n, received: DUE }],
  ])('with other sums than the facts is refused: %s', async (_, other) => {
    expect(await answerOf(full, { ...paidWith(DUE), received: DUE, ...other })).toBe(UNFOUNDED);
  });

  it.each<[string, Money, string]>([
    ['confirmed at the cursor', {}, 'carried'],
    ['a block too young', { height: 101n }, UNFOUNDED],
    ['with the confirmations that it needs itself', { height: 99n, but: 'extra_confirmations = 2' }, 'carried'],
    ['one short of them', { height: 100n, but: 'extra_confirmations = 2' }, UNFOUNDED],
    ['orphaned', { but: 'orphaned_at = now()' }, UNFOUNDED],
    ['of another epoch', { but: 'epoch = 1' }, UNFOUNDED],
    ['of another wallet', { but: 'wallet_id = NULL' }, UNFOUNDED],
    ['short by what can be shown', { units: DUE - SHOWN }, UNFOUNDED],
    ['short by less than that', { units: DUE - SHOWN + 1n }, 'carried'],
  ])('of an invoice as paid needs confirmed money of its own: %s', async (_, money, due) => {
    expect(await answerOf({ money: [money] }, paidWith(money.units ?? DUE))).toBe(due);
  });

  it('takes what its owner tolerates, to the unit', async () => {
    const tolerated = DUE / 100n;
    const tolerant = (missing: bigint) =>
      answerOf({ money: [{ units: DUE - missing }], but: 'tolerance_basis_points = 100' }, paidWith(DUE - missing));
    expect(await tolerant(tolerated)).toBe('carried');
    expect(await tolerant(tolerated + 1n)).toBe(UNFOUNDED);
  });

  it('on a chain that was replaced ends an invoice at once, and pays none', async () => {
    await test.db.pool.query('UPDATE chain_cursor SET epoch = 1');
    expect(await answerOf(full, paidWith(DUE))).toBe(UNFOUNDED);
    expect(await answerOf(full, { to: 'expired', as: 'confirming', paid: DUE })).toBe('carried');
  });

  it.each<[string, Given, Claim, string]>([
    [
      'too much, by what is told',
      { money: [{ units: DUE + TOLD }] },
      { to: 'paid', as: 'overpaid', paid: DUE + TOLD },
      'carried',
    ],
    [
      'too much, by less',
      { money: [{ units: DUE + TOLD - 1n }] },
      { to: 'paid', as: 'overpaid', paid: DUE + TOLD - 1n },
      UNFOUNDED,
    ],
    [
      'too much while it is open',
      { money: [{ units: 2n * DUE }] },
      { to: 'pending', as: 'overpaid', paid: 2n * DUE },
      UNFOUNDED,
    ],
    ['settled while it is open', full, { to: 'pending', as: 'settled', paid: DUE }, UNFOUNDED],
    ['unpaid although it is paid', full, { to: 'paid', as: 'unpaid', paid: DUE }, UNFOUNDED],
    [
      'seen, when all of it was',
      { money: [{ height: 101n }] },
      { to: 'pending', as: 'seen', paid: DUE, confirmed: 0n },
      'carried',
    ],
    [
      'seen, a shown unit short',
      { money: [{ units: DUE - SHOWN }] },
      { to: 'pending', as: 'seen', paid: DUE - SHOWN },
      UNFOUNDED,
    ],
    ['confirming, when all of it was seen', full, { to: 'pending', as: 'confirming', paid: DUE }, 'carried'],
    [
      'confirming, a shown unit short',
      { money: [{ units: DUE - SHOWN }] },
      { to: 'pending', as: 'confirming', paid: DUE - SHOWN },
      UNFOUNDED,
    ],
    [
      'partial, with what can be shown',
      { money: [{ units: SHOWN }] },
      { to: 'pending', as: 'partial', paid: SHOWN },
      'carried',
    ],
    [
      'partial, with less',
      { money: [{ units: SHOWN - 1n }] },
      { to: 'pending', as: 'partial', paid: SHOWN - 1n },
      UNFOUNDED,
    ],
    ['reversed, although it never was paid', {}, { to: 'pending', as: 'reversed', reversedAt: -60 }, UNFOUNDED],
    [
      'reversed, since then',
      {
        but: `status = 'pending', payment_state = 'reversed', reversed_at = timestamptz '${CHAIN_TIME.toISOString()}' - interval '60 s'`,
      },
      { to: 'pending', as: 'reversed', reversedAt: -60 },
      'carried',
    ],
    [
      'reversed, since longer than it is',
      {
        but: `status = 'pending', payment_state = 'reversed', reversed_at = timestamptz '${CHAIN_TIME.toISOString()}' - interval '60 s'`,
      },
      { to: 'pending', as: 'reversed', reversedAt: -100_000 },
      UNFOUNDED,
    ],
    ['reversed, since never', {}, { to: 'pending', as: 'reversed' }, UNFOUNDED],
    ['reversed at a time that is not yet', {}, { to: 'pending', as: 'reversed', reversedAt: 10 ** 9 }, UNFOUNDED],
    [
      'late, with what is told',
      { ...OVER, money: [{ units: TOLD }] },
      { to: 'expired', as: 'late', received: TOLD },
      'carried',
    ],
    [
      'late, with less',
      { ...OVER, money: [{ units: TOLD - 1n }] },
      { to: 'expired', as: 'late', received: TOLD - 1n },
      UNFOUNDED,
    ],
    ['late while it is open', { ...OVER, money: [{}] }, { to: 'pending', as: 'late', received: DUE }, UNFOUNDED],
  ])('says of an invoice what is true: %s', async (_, given, what, due) => {
    expect(await answerOf(given, what)).toBe(due);
  });

  it.each<[string, bigint, readonly Money[], Claim['received'], string]>([
    ['as much as the threshold', DUE, [{ units: FORCED }], FORCED, UNFOUNDED],
    ['a unit more', DUE, [{ units: FORCED + 1n }], FORCED + 1n, 'carried'],
    ['nothing at all, of a small one', FORCED - 1n, [], 0n, UNFOUNDED],
    ['a unit, of a small one', FORCED - 1n, [{ units: 1n }], 1n, 'carried'],
    ['a unit, of one as large as the threshold', FORCED, [{ units: 1n }], 1n, UNFOUNDED],
    ['enough in another coin on its address', DUE, [{ but: `${ON_BSC}, wallet_id = NULL` }], 0n, 'carried'],
    ['what is no longer there', DUE, [{ but: `${ON_BSC}, wallet_id = NULL, orphaned_at = now()` }], 0n, UNFOUNDED],
    ['what lay on a chain that was replaced', DUE, [{ but: `${ON_BSC}, wallet_id = NULL, epoch = 7` }], 0n, UNFOUNDED],
    ['its own coin that nobody counts', DUE, [{ but: 'wallet_id = NULL' }], 0n, UNFOUNDED],
  ])('forced needs money on the wallet: %s', async (_, due, money, received = 0n, answer) => {
    const but =
      due === DUE
        ? ''
        : `id = id; ALTER TABLE invoice DISABLE TRIGGER invoice_repricing; UPDATE invoice SET amount_units = ${due}`;
    const invoice = await claimedInvoice(test.db.pool, { money, but });
    const as = received - due >= TOLD ? 'overpaid' : 'settled';
    expect(await claim(web, invoice, { to: 'forcePaid', as, paid: received })).toBe(answer);
    await test.db.pool.query('ALTER TABLE invoice ENABLE TRIGGER invoice_repricing');
  });

  it('tells the customer that it is paid and the owner that it is not any more, each of their own invoice and event', async () => {
    const { pool } = test.db;
    const stranger = await claimedInvoice(pool, { ...full, but: "email = 'stranger@example.com'" });
    await pool.query(
      `INSERT INTO invoice_event (invoice_id, sequence, type, from_status, to_status, payment_state)
       VALUES ($1, 1, 'invoice.statusChanged', 'paid', 'paid', 'settled')`,
      [stranger.id],
    );
    const invoice = await claimedInvoice(pool, { ...full, but: "email = 'customer@example.com'" });
    const mails = async () =>
      (
        await pool.query(
          `SELECT m.kind, m.recipient FROM outgoing_mail m JOIN invoice_event e ON e.id = m.event_id
           WHERE e.invoice_id = ANY($1) ORDER BY m.id`,
          [[invoice.id, stranger.id]],
        )
      ).rows;
    await claim(web, invoice, paidWith(DUE));
    const receipt = { kind: 'receipt', recipient: 'customer@example.com' };
    expect(await mails()).toEqual([receipt]);
    await pool.query('UPDATE deposit SET orphaned_at = now() WHERE wallet_id = $1', [invoice.walletId]);
    await claim(web, invoice, { to: 'pending', as: 'reversed', reversedAt: -1 });
    const { rows } = await pool.query('SELECT email FROM user_account WHERE id = $1', [invoice.userId]);
    expect(await mails()).toEqual([receipt, { kind: 'reversal', recipient: rows[0].email }]);
    const dated = await pool.query('SELECT reversed_at AS at FROM invoice WHERE id = $1', [invoice.id]);
    expect(dated.rows).toEqual([{ at: new Date(CHAIN_TIME.getTime() - 1000) }]);
  });

  it('that ends an invoice sends no receipt', async () => {
    const invoice = await claimedInvoice(test.db.pool, { ...OVER, but: "email = 'customer@example.com'" });
    expect(await claim(web, invoice, { to: 'expired', as: 'unpaid' })).toBe('carried');
    const text = 'SELECT 1 FROM outgoing_mail m JOIN invoice_event e ON e.id = m.event_id WHERE e.invoice_id = $1';
    expect((await test.db.pool.query(text, [invoice.id])).rows).toEqual([]);
  });

  it('holds its invoices from the look at them on', async () => {
    const { id } = await claimedInvoice(test.db.pool, full);
    // Of another version: nothing is written, so that what is held is held by the look alone.
    expect(await holdsInvoice(test.db, id, settleDoor({ id, version: 9, state: 'unpaid' }))).toBe(true);
  });

  it('forced is dated by a clock that goes on while the transaction runs, and no later', async () => {
    const dated = async (seconds: number) => {
      const invoice = await claimedInvoice(test.db.pool, full);
      const paidAt = new Date(Date.now() + seconds * 1000);
      return claim(web, invoice, { to: 'forcePaid', as: 'settled', paid: DUE, paidAt });
    };
    expect([await dated(2), await dated(60)]).toEqual(['carried', UNFOUNDED]);
  });

  it("forced counts no other address's money", async () => {
    const other = await claimedInvoice(test.db.pool);
    await addMoney(test.db.pool, other, { but: `${ON_BSC}, wallet_id = NULL` });
    expect(await answerOf({}, { to: 'forcePaid', as: 'settled' })).toBe(UNFOUNDED);
  });

  it('forced counts no money in another coin that somebody else was given', async () => {
    const { walletId } = await claimedInvoice(test.db.pool);
    const given = { but: `${ON_BSC}, wallet_id = ${walletId}` };
    expect(await answerOf({ money: [given] }, { to: 'forcePaid', as: 'settled' })).toBe(UNFOUNDED);
  });

  it('that does not pay has no date of payment', async () => {
    expect(await answerOf({}, { to: 'pending', as: 'unpaid', paidAt: CHAIN_TIME })).toBe(UNFOUNDED);
    expect(await answerOf(OVER, { to: 'expired', as: 'unpaid', paidAt: CHAIN_TIME })).toBe(UNFOUNDED);
    expect(await answerOf(OVER, { to: 'expired', as: 'unpaid' })).toBe('carried');
  });

  it('is dated as a reversal when paid becomes open, and never otherwise', async () => {
    const invoice = await claimedInvoice(test.db.pool, full);
    await claim(web, invoice, { ...paidWith(DUE), paidAt: CHAIN_TIME });
    expect(await claim(web, invoice, { ...paidWith(DUE), paidAt: CHAIN_TIME, reversedAt: -1 })).toBe(UNFOUNDED);
    await test.db.pool.query('UPDATE deposit SET orphaned_at = now() WHERE wallet_id = $1', [invoice.walletId]);
    expect(await claim(web, invoice, { to: 'pending', as: 'unpaid' })).toBe(UNFOUNDED);
    expect(await claim(web, invoice, { to: 'pending', as: 'reversed', reversedAt: -1 })).toBe('carried');
    expect(await claim(web, invoice, { to: 'pending', as: 'unpaid' })).toBe(UNFOUNDED);
    expect(await claim(web, invoice, { to: 'pending', as: 'reversed', reversedAt: -1 })).toBe('carried');
  });

  it('as over is right from the first unit that is missed, and late is only what came late', async () => {
    const inTime = (units: bigint): Given => ({ ...OVER, money: [{ units, blockAt: -3700 }] });
    const over = (units: bigint): Claim => ({ to: 'expired', as: 'partial', paid: units });
    expect(await answerOf(inTime(DUE - SHOWN), over(DUE - SHOWN))).toBe('carried');
    expect(await answerOf(inTime(DUE - SHOWN + 1n), over(DUE - SHOWN + 1n))).toBe(UNFOUNDED);
    expect(await answerOf(inTime(TOLD), { ...over(TOLD), as: 'late' })).toBe(UNFOUNDED);
  });

  it('back to open needs that the money is gone', async () => {
    const invoice = await claimedInvoice(test.db.pool, full);
    await claim(web, invoice, paidWith(DUE));
    expect(await claim(web, invoice, { to: 'pending', as: 'confirming', paid: DUE })).toBe(UNFOUNDED);
    await test.db.pool.query('UPDATE deposit SET orphaned_at = now() WHERE wallet_id = $1', [invoice.walletId]);
    expect(await claim(web, invoice, { to: 'pending', as: 'reversed', reversedAt: -1 })).toBe('carried');
  });

  it('back to open is right from the first unit that is missed', async () => {
    const { rows } = await test.db.pool.query("SELECT shown_units AS units FROM coin_rule WHERE coin = 'ETH'");
    const shown = BigInt(rows[0]?.units);
    const back = async (missing: bigint) => {
      const invoice = await claimedInvoice(test.db.pool, { money: [{ units: DUE - missing }, { units: missing }] });
      await claim(web, invoice, paidWith(DUE));
      const gone = 'UPDATE deposit SET orphaned_at = now() WHERE wallet_id = $1 AND amount_units = $2';
      await test.db.pool.query(gone, [invoice.walletId, missing]);
      return claim(web, invoice, { to: 'pending', as: 'reversed', paid: DUE - missing, reversedAt: -1 });
    };
    expect(await back(shown - 1n)).toBe(UNFOUNDED);
    expect(await back(shown)).toBe('carried');
  });

  it('back to open is dated by the chain at the latest, also where its clock is ahead', async () => {
    const AHEAD = 315_360_000;
    const invoice = await claimedInvoice(test.db.pool, full);
    await claim(web, invoice, paidWith(DUE));
    await test.db.pool.query('UPDATE deposit SET orphaned_at = now() WHERE wallet_id = $1', [invoice.walletId]);
    await makeCursor(test.db.pool, { height: 100n, time: new Date(CHAIN_TIME.getTime() + AHEAD * 1000) });
    const back = (reversedAt: number) => claim(web, invoice, { to: 'pending', as: 'reversed', reversedAt });
    expect(await back(AHEAD + 1)).toBe(UNFOUNDED);
    expect(await back(AHEAD)).toBe('carried');
  });

  it('as paid is dated once, by the chain, and never before it or after', async () => {
    const dated = async (paidAt: Date | null) => {
      const invoice = await claimedInvoice(test.db.pool, full);
      return claim(web, invoice, { ...paidWith(DUE), paidAt });
    };
    expect(await dated(CHAIN_TIME)).toBe('carried');
    for (const wrong of ['1999-01-01', '9999-01-01']) expect(await dated(new Date(wrong)), wrong).toBe(UNFOUNDED);
    expect(await dated(null)).toBe(UNFOUNDED);
    const invoice = await claimedInvoice(test.db.pool, full);
    await claim(web, invoice, { ...paidWith(DUE), paidAt: CHAIN_TIME });
    expect(await claim(web, invoice, { ...paidWith(DUE), paidAt: new Date(CHAIN_TIME.getTime() - 1000) })).toBe(
      UNFOUNDED,
    );
    expect(await claim(web, invoice, { ...paidWith(DUE), paidAt: CHAIN_TIME })).toBe('carried');
  });

  it.each<[Claim, string]>([
    [{ to: 'pending', as: 'unpaid' }, 'carried'],
    [{ to: 'expired', as: 'unpaid' }, 'carried'],
    [{ to: 'paid', as: 'unpaid' }, UNFOUNDED],
    [{ to: 'forcePaid', as: 'unpaid' }, UNFOUNDED],
    [{ to: 'paid', as: 'unpaid', paidAt: null }, UNFOUNDED],
    [{ to: 'forcePaid', as: 'unpaid', paidAt: null }, UNFOUNDED],
    [{ to: 'pending', as: 'unpaid', paidAt: CHAIN_TIME }, UNFOUNDED],
    [{ to: 'pending', as: 'partial' }, UNFOUNDED],
    [{ to: 'pending', as: 'unpaid', reversedAt: -60 }, UNFOUNDED],
    [{ to: 'pending', as: 'unpaid', usesLate: true }, UNFOUNDED],
    [{ to: 'pending', as: 'unpaid', paid: 1n, confirmed: 0n, received: 0n }, UNFOUNDED],
    [{ to: 'pending', as: 'unpaid', paid: 0n, confirmed: 1n, received: 0n }, UNFOUNDED],
    [{ to: 'pending', as: 'unpaid', paid: 0n, confirmed: 0n, received: 1n }, UNFOUNDED],
  ])('without a coin knows nothing but open and over: case %#', async (what, due) => {
    const { id: userId } = await makeUser(test.db.pool);
    const { rows } = await test.db.pool.query<{ id: number }>(
      `INSERT INTO invoice (user_id, amount_eur_cents, expiry_minutes, expires_at) VALUES ($1, 3118, 60, now()) RETURNING id`,
      [userId],
    );
    expect(await claim(web, { id: rows[0]?.id ?? 0 }, what)).toBe(due);
  });

  it('with late money needs that late money came and counts, and that it pays', async () => {
    const inTime = await claimedInvoice(test.db.pool, full);
    expect(await claim(web, inTime, { ...paidWith(DUE), usesLate: true })).toBe(UNFOUNDED);
    expect(await claim(web, inTime, paidWith(DUE))).toBe('carried');
    const late = async () => {
      const invoice = await claimedInvoice(test.db.pool, { endsAt: -1800, money: [{ blockAt: -60 }] });
      await test.db.pool.query("UPDATE user_account SET late_policy = 'accept' WHERE id = $1", [invoice.userId]);
      return invoice;
    };
    expect(await claim(web, await late(), { to: 'pending', as: 'confirming', paid: DUE, usesLate: true })).toBe(
      UNFOUNDED,
    );
    expect(await claim(web, await late(), { ...paidWith(DUE), usesLate: true })).toBe('carried');
    const waiting = { endsAt: -1800, money: [{ blockAt: -60 }] };
    expect(await answerOf(waiting, { ...paidWith(DUE), usesLate: true })).toBe(UNFOUNDED);
    // Paid in time, and more came late, which nobody accepted.
    const more = { endsAt: -1800, money: [{ blockAt: -3000 }, { units: 1n, blockAt: -60 }] };
    expect(await answerOf(more, { ...paidWith(DUE + 1n), usesLate: true })).toBe(UNFOUNDED);
    expect(await answerOf(more, { ...paidWith(DUE), received: DUE + 1n })).toBe('carried');
  });

  it('without a coin that was forced is not over', async () => {
    const { id: userId } = await makeUser(test.db.pool);
    const { rows } = await test.db.pool.query<{ id: number }>(
      `INSERT INTO invoice (user_id, amount_eur_cents, expiry_minutes, expires_at, status) VALUES ($1, 3118, 60, now(), 'forcePaid')
       RETURNING id`,
      [userId],
    );
    expect(await claim(web, { id: rows[0]?.id ?? 0 }, { to: 'expired', as: 'unpaid' })).toBe(UNFOUNDED);
  });

  it('without a coin that is over does not open again', async () => {
    const { id: userId } = await makeUser(test.db.pool);
    const { rows } = await test.db.pool.query<{ id: number }>(
      `INSERT INTO invoice (user_id, amount_eur_cents, expiry_minutes, expires_at, status) VALUES ($1, 3118, 60, now(), 'expired')
       RETURNING id`,
      [userId],
    );
    expect(await claim(web, { id: rows[0]?.id ?? 0 }, { to: 'pending', as: 'unpaid' })).toBe(UNFOUNDED);
    expect(await claim(web, { id: rows[0]?.id ?? 0 }, { to: 'expired', as: 'unpaid' })).toBe('carried');
  });

  it('looks at what is, and refuses to look from an older snapshot', async () => {
    const { id } = await claimedInvoice(test.db.pool, full);
    const old = callFromOldSnapshot(web, settleDoor({ id, status: 'paid', units: DUE }));
    await expect(old).rejects.toThrow('repeatable read');
  });
});
