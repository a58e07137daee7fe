import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { CHAIN_INFO } from '@/lib/shared/chains';
import { CHAIN_TIME, claim, claimedInvoice, DUE, type Money } from '@/testing/claimed-settlement';
import { makeCursor } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { expireInvoices } from './expire-invoices';
import { settleInvoice } from './settle-invoice';

const GRACE = CHAIN_INFO.ethereum.inclusionGraceSeconds;
const MINUTE = 60;
const UNFOUNDED = 'settlement_founded';

/** When money is in time and when an invoice is over: the product and the database judge the same, to the second. */
describe('the time of an invoice', () => {
  let test: TestDatabase;
  let dispatcher: Database;

  beforeAll(async () => {
    test = await createTestDatabase();
    dispatcher = openDatabase(test.roleUrl('dispatcher'), { max: 4, applicationName: 'dispatcher' });
  });
  afterAll(async () => {
    await closeDatabase(dispatcher);
    await test.drop();
  });
  beforeEach(async () => {
    await makeCursor(test.db.pool, { height: 100n, time: CHAIN_TIME });
  });

  type Given = Parameters<typeof claimedInvoice>[1];
  type Outage = readonly [from: number, to: number, chain?: string];
  const at = (seconds: number) => new Date(CHAIN_TIME.getTime() + seconds * 1000);
  const given = async (what: Given, outages: readonly Outage[] = []) => {
    await test.db.pool.query('TRUNCATE watcher_outage');
    for (const [from, to, chain = 'ethereum'] of outages)
      await test.db.pool.query('INSERT INTO watcher_outage (chain, started_at, ended_at) VALUES ($1, $2, $3)', [
        ...[chain, at(from), at(to)],
      ]);
    return claimedInvoice(test.db.pool, what);
  };
  const statusAfter = async ({ id }: { id: number }) => {
    await expireInvoices(dispatcher, () => CHAIN_TIME);
    await settleInvoice(dispatcher, id, () => CHAIN_TIME);
    return (await test.db.pool.query('SELECT status FROM invoice WHERE id = $1', [id])).rows[0]?.status;
  };
  /** What the database says to both decisions, and then what the product decides. */
  const judged = async (what: Given, outages: readonly Outage[] = []) => {
    const expired = await claim(dispatcher, await given(what, outages), { to: 'expired', as: 'unpaid' });
    const decided = await statusAfter(await given(what, outages));
    return [expired === 'carried' ? 'expired' : expired, decided];
  };
  const over = ['expired', 'expired'];
  const open = [UNFOUNDED, 'pending'];

  /** The invoice was made an hour before CHAIN_TIME; `patience` are seconds that the outages give its payer. */
  it.each<[string, readonly Outage[], number]>([
    ['no outage', [], 0],
    ['one in the middle of it', [[-50 * MINUTE, -40 * MINUTE]], 10 * MINUTE],
    [
      'two',
      [
        [-50 * MINUTE, -40 * MINUTE],
        [-38 * MINUTE, -33 * MINUTE],
      ],
      15 * MINUTE,
    ],
    ['what of one was after its beginning', [[-600 * MINUTE, -50 * MINUTE]], 10 * MINUTE],
    ['what of one was before its end', [[-35 * MINUTE, -1]], 5 * MINUTE],
    ['one before it was made', [[-90 * MINUTE, -60 * MINUTE]], 0],
    ['one after its end', [[-30 * MINUTE, -1]], 0],
    ["another chain's", [[-50 * MINUTE, -40 * MINUTE, 'bsc']], 0],
  ])('is longer by what its watcher was down while it was open: %s', async (name, outages, patience) => {
    // The end of the invoice stands still; where the patience matters it is the chain's time that is tried.
    const endsAt = -30 * MINUTE;
    await makeCursor(test.db.pool, { height: 100n, time: at(endsAt + GRACE + patience) });
    expect(await judged({ endsAt }, outages), name).toEqual(open);
    await makeCursor(test.db.pool, { height: 100n, time: at(endsAt + GRACE + patience + 1) });
    expect(await judged({ endsAt }, outages), name).toEqual(over);
  });

  it.each<[string, Money, string]>([
    ['in a block of its last second', { blockAt: GRACE - 100 }, 'paid'],
    ['a second later', { blockAt: GRACE - 99 }, 'expired'],
    ['seen in its last second, in a later block', { blockAt: 0, seenAt: GRACE - 100 }, 'paid'],
    ['seen a second too late as well', { blockAt: 0, seenAt: GRACE - 99 }, 'expired'],
    ['seen long after a block that is in time', { blockAt: GRACE - 100, seenAt: 3600 }, 'paid'],
  ])('takes money that is in time, by its block or its first sight: %s', async (_, money, status) => {
    const what = { endsAt: -100, money: [money] };
    const answer = await claim(dispatcher, await given(what), { to: 'paid', as: 'settled', paid: DUE });
    expect(answer).toBe(status === 'paid' ? 'carried' : UNFOUNDED);
    expect(await statusAfter(await given(what))).toBe(status);
  });

  it('is not over while money in time covers it, however late that confirms', async () => {
    const what = { endsAt: -3000, money: [{ height: 101n, blockAt: -3100 }] };
    const expired = await claim(dispatcher, await given(what), { to: 'expired', as: 'seen', paid: DUE, confirmed: 0n });
    expect([expired, await statusAfter(await given(what))]).toEqual([UNFOUNDED, 'pending']);
  });

  it('whose payment a reorg took waits a day for its return, to the second', async () => {
    const day = 24 * 3600;
    const reversed = (seconds: number) => ({
      endsAt: -3000,
      but: `reversed_at = '${at(-seconds).toISOString()}', payment_state = 'reversed'`,
    });
    const answerOf = async (seconds: number) =>
      claim(dispatcher, await given(reversed(seconds)), { to: 'expired', as: 'unpaid' });
    expect([await answerOf(day), await statusAfter(await given(reversed(day)))]).toEqual(open);
    expect([await answerOf(day + 1), await statusAfter(await given(reversed(day + 1)))]).toEqual([
      'carried',
      'expired',
    ]);
  });

  describe('is over, and late money counts', () => {
    const late = { endsAt: -3600, money: [{}] };
    const pays = async (prepare: (of: { id: number; userId: number }) => Promise<unknown>) => {
      const invoice = await given(late);
      await prepare(invoice);
      const refused = await claim(dispatcher, invoice, { to: 'paid', as: 'settled', paid: DUE });
      const another = await given(late);
      await prepare(another);
      return [refused === 'carried', (await statusAfter(another)) === 'paid'];
    };
    const query = (text: string, ...values: unknown[]) => test.db.pool.query(text, values);
    const accepts = (userId: number) => query(`UPDATE user_account SET late_policy = 'accept' WHERE id = $1`, userId);
    const event = (id: number, type: string, state: string) =>
      query(
        `INSERT INTO invoice_event (invoice_id, sequence, type, from_status, to_status, payment_state)
         VALUES ($1, 1, $2, 'expired', 'expired', $3)`,
        ...[id, type, state],
      );

    it.each<[string, boolean, (of: { id: number; userId: number }) => Promise<unknown>]>([
      ['not by itself', false, async () => undefined],
      [
        'when its owner took it',
        true,
        ({ id }) => query('UPDATE invoice SET late_accepted_at = now() WHERE id = $1', id),
      ],
      ['when its owner always takes it', true, ({ userId }) => accepts(userId)],
      ['not when somebody else always takes it', false, async () => accepts((await given({})).userId)],
      [
        'not when its owner dealt with it otherwise',
        false,
        async ({ id, userId }) => {
          await accepts(userId);
          await event(id, 'invoice.resolved', 'late');
        },
      ],
      [
        'when its owner dealt with something else',
        true,
        async ({ id, userId }) => {
          await accepts(userId);
          await event(id, 'invoice.resolved', 'overpaid');
        },
      ],
      [
        'when its owner was only told of it',
        true,
        async ({ id, userId }) => {
          await accepts(userId);
          await event(id, 'invoice.paymentLate', 'late');
        },
      ],
      [
        "when its owner dealt with another invoice's",
        true,
        async ({ userId }) => {
          await accepts(userId);
          await event((await given({})).id, 'invoice.resolved', 'late');
        },
      ],
    ])('%s', async (_, does, prepare) => {
      expect(await pays(prepare)).toEqual([does, does]);
    });
  });
});
