import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { addSeconds } from '@/lib/shared/time';
import { type ModelDatabases, openModelDatabases } from '@/testing/model/databases';
import { type PricedInvoice, Scenario } from '@/testing/model/scenario';
import type { WorldOptions } from '@/testing/model/world';
import { stubWebEnvironment } from '@/testing/stub-web-environment';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { checkPayment, checkPublicPayment } from './check-payment';
import { forcePayment } from './force-payment';
import { setInvoiceEmail } from './set-invoice-email';

const HOUR = 3600;
const DAY = 24 * HOUR;
const GRACE_SECONDS = 60;
const CONFIRMATIONS = 3;
const SHOWN = 10n ** 10n;
const PATIENCE = { timeout: 8_000, interval: 20 };

let test: TestDatabase;
let databases: ModelDatabases;
let story: Scenario;

beforeAll(async () => {
  test = await createTestDatabase();
  stubWebEnvironment(test.roleUrl('web'), { ETH_RPC_URL: 'http://127.0.0.1:1' });
  databases = openModelDatabases(test);
});
afterEach(() => story.world.close());
afterAll(async () => {
  await databases.close();
  await test.drop();
  vi.unstubAllEnvs();
});

async function begin(options: Partial<WorldOptions> = {}): Promise<Scenario> {
  story = await Scenario.open(databases, { confirmations: CONFIRMATIONS, ...options });
  return story;
}

/** First moment at which money is late. */
const tooLate = (invoice: PricedInvoice) => addSeconds(invoice.expiresAt, GRACE_SECONDS + 1);
const force = (uuid: string) => forcePayment(databases.web, story.world.merchant.userId, uuid, story.world.clock);
const depositsOf = (uuid: string) => {
  const { invoices, deposits } = story.world.books;
  const walletId = invoices.find((invoice) => invoice.uuid === uuid)?.walletId;
  return deposits.filter((deposit) => deposit.walletId === walletId);
};

describe('the table of transitions, from the chain to the tables', () => {
  it('pending becomes paid when money in time is confirmed, and not a block before', async () => {
    await begin();
    const invoice = await story.invoice();
    story.pay(invoice);
    await story.mine(CONFIRMATIONS - 1);
    expect(await story.stateOf(invoice)).toMatchObject({ status: 'pending', paymentState: 'confirming' });
    await story.mine();
    expect(await story.stateOf(invoice)).toEqual({
      status: 'paid',
      paymentState: 'settled',
      history: ['pending', 'paid'],
    });
  });

  it('pending expires once the chain is past the time and its grace: the clock alone never decides', async () => {
    await begin();
    const invoice = await story.invoice({ minutes: 5 });
    story.world.chain.advance(DAY);
    await story.world.expire();
    expect(await story.stateOf(invoice)).toMatchObject({ status: 'pending', paymentState: 'unpaid' });
    await story.mine();
    await story.world.expire();
    expect(await story.stateOf(invoice)).toEqual({
      status: 'expired',
      paymentState: 'unpaid',
      history: ['pending', 'expired'],
    });
  });

  it('full payment that was seen in time holds the expiry until it confirms, however late that is', async () => {
    await begin();
    const invoice = await story.invoice({ minutes: 5 });
    story.pay(invoice);
    await story.mine();
    story.world.chain.advance(2 * HOUR);
    await story.mine();
    await story.world.expire();
    expect(await story.stateOf(invoice)).toMatchObject({ status: 'pending', paymentState: 'confirming' });
    await story.mine();
    expect(await story.stateOf(invoice)).toMatchObject({ status: 'paid', history: ['pending', 'paid'] });
  });

  it('part of the payment does not hold the expiry', async () => {
    await begin();
    const invoice = await story.invoice({ minutes: 5 });
    story.pay(invoice, invoice.priced.dueUnits / 2n);
    await story.mine(CONFIRMATIONS);
    expect(await story.stateOf(invoice)).toMatchObject({ status: 'pending', paymentState: 'partial' });
    story.world.chain.advance(HOUR);
    await story.mine();
    await story.world.expire();
    expect(await story.stateOf(invoice)).toMatchObject({ status: 'expired', paymentState: 'partial' });
  });

  it('pending and expired can be forced by the owner, and stay forced whatever comes or goes', async () => {
    await begin();
    const open = await story.invoice();
    const over = await story.invoice({ minutes: 5 });
    for (const invoice of [open, over]) story.pay(invoice, invoice.priced.dueUnits / 2n);
    await story.mine(CONFIRMATIONS);
    await story.mineAt(tooLate(over));
    await story.world.expire();
    for (const invoice of [open, over]) {
      expect(await force(invoice.uuid)).toMatchObject({ isPaid: true, status: 'forcePaid' });
      story.memory.forced.add(invoice.uuid);
    }
    story.world.chain.reorg({ depth: 30, fate: 'lost', extraBlocks: 1, isLate: false });
    await story.mine();
    expect(await story.stateOf(open)).toMatchObject({ status: 'forcePaid', history: ['pending', 'forcePaid'] });
    expect(await story.stateOf(over)).toMatchObject({ history: ['pending', 'expired', 'forcePaid'] });
  });

  it('paid goes back to pending when its blocks are gone, waits 24 hours of chain time, and then expires', async () => {
    await begin();
    const invoice = await story.invoice({ minutes: 5 });
    story.pay(invoice);
    await story.mine(CONFIRMATIONS);
    story.world.chain.reorg({ depth: 5, fate: 'lost', extraBlocks: 1, isLate: false });
    await story.world.tick();
    const reversed = await story.read(invoice);
    expect(reversed).toMatchObject({ status: 'pending', paymentState: 'reversed', alarms: 1 });
    await story.mineAt(addSeconds(new Date(reversed.reversedAt ?? 0), DAY));
    await story.world.expire();
    expect(await story.stateOf(invoice)).toMatchObject({ status: 'pending', paymentState: 'reversed' });
    await story.mine();
    await story.world.expire();
    expect(await story.stateOf(invoice)).toEqual({
      status: 'expired',
      paymentState: 'unpaid',
      history: ['pending', 'paid', 'pending', 'expired'],
    });
  });

  it('late money pays an expired invoice only under the policy that accepts it, and only when it is confirmed', async () => {
    for (const latePolicy of ['review', 'accept'] as const) {
      await begin({ rules: { latePolicy, toleranceBasisPoints: 0 } });
      const invoice = await story.invoice({ minutes: 5 });
      await story.mineAt(tooLate(invoice));
      await story.world.expire();
      story.pay(invoice);
      await story.mine(CONFIRMATIONS - 1);
      expect(await story.stateOf(invoice)).toMatchObject({ status: 'expired', paymentState: 'late' });
      await story.mine();
      expect(await story.stateOf(invoice)).toMatchObject(
        latePolicy === 'accept'
          ? { status: 'paid', paymentState: 'settled', history: ['pending', 'expired', 'paid'] }
          : { status: 'expired', paymentState: 'late' },
      );
      await story.world.close();
    }
  });
});

describe('payments that are not what they should be', () => {
  it('[A1] a reverted transaction to an invoice is no deposit', async () => {
    await begin();
    const invoice = await story.invoice();
    const { address: to, dueUnits: amountUnits } = invoice.priced;
    story.world.chain.send({ to, amountUnits, succeeds: false });
    await story.mine(CONFIRMATIONS);
    expect(await story.stateOf(invoice)).toMatchObject({ status: 'pending', paymentState: 'unpaid' });
    expect(story.world.books.deposits).toEqual([]);
  });

  it('[A13] a transaction that was replaced before it was mined again is gone, and what replaces it counts once', async () => {
    await begin();
    const invoice = await story.invoice();
    story.pay(invoice, invoice.priced.dueUnits / 4n);
    await story.mine();
    expect(await story.stateOf(invoice)).toMatchObject({ status: 'pending', paymentState: 'partial' });
    story.world.chain.reorg({ depth: 1, fate: 'lost', extraBlocks: 0, isLate: false });
    story.pay(invoice);
    await story.mine(CONFIRMATIONS);
    expect(await story.stateOf(invoice)).toMatchObject({ status: 'paid', paymentState: 'settled' });
    expect(depositsOf(invoice.uuid).map(({ isOrphaned }) => isOrphaned)).toEqual([true, false]);
  });

  it('[A17] dust changes neither status nor payment state, in time or late, and tells nobody anything', async () => {
    await begin();
    const invoice = await story.invoice({ minutes: 5 });
    story.pay(invoice, SHOWN - 1n);
    await story.mine(CONFIRMATIONS);
    expect(await story.stateOf(invoice)).toMatchObject({ status: 'pending', paymentState: 'unpaid' });
    await story.mineAt(tooLate(invoice));
    await story.world.expire();
    story.pay(invoice, SHOWN - 1n);
    await story.mine(CONFIRMATIONS);
    const dusty = await story.read(invoice);
    expect(dusty).toMatchObject({
      status: 'expired',
      paymentState: 'unpaid',
      amountPaidUnits: (SHOWN - 1n).toString(),
    });
    expect(dusty.events.map(({ type }) => type)).toEqual(['invoice.statusChanged']);
    expect(depositsOf(invoice.uuid)).toHaveLength(2);
  });

  it('[A17] dust on top of a surplus does not tell the owner again', async () => {
    await begin();
    const invoice = await story.invoice();
    story.pay(invoice, invoice.priced.dueUnits * 2n);
    await story.mine(CONFIRMATIONS);
    const before = await story.read(invoice);
    story.pay(invoice, 1n);
    await story.mine(CONFIRMATIONS);
    expect((await story.read(invoice)).events).toEqual(before.events);
  });

  it('[A18] one wei is decisive where it must be: a shown unit short is not paid, one wei more is', async () => {
    await begin();
    const [short, enough] = [await story.invoice(), await story.invoice()];
    story.pay(short, short.priced.dueUnits - SHOWN);
    story.pay(enough, enough.priced.dueUnits - SHOWN + 1n);
    await story.mine(CONFIRMATIONS);
    expect(await story.stateOf(short)).toMatchObject({ status: 'pending', paymentState: 'partial' });
    expect(await story.stateOf(enough)).toMatchObject({ status: 'paid', paymentState: 'settled' });
  });

  it('[A19] a second payment of a paid invoice is kept and shown as too much', async () => {
    await begin();
    const invoice = await story.invoice();
    story.pay(invoice);
    await story.mine(CONFIRMATIONS);
    story.pay(invoice);
    await story.mine(CONFIRMATIONS);
    expect(await story.stateOf(invoice)).toMatchObject({ status: 'paid', paymentState: 'overpaid' });
  });

  it('[A19] an address is watched for ever: money that comes months after payment or expiry is found', async () => {
    await begin();
    const [paid, expired] = [await story.invoice(), await story.invoice({ minutes: 5 })];
    story.pay(paid);
    await story.mine(CONFIRMATIONS);
    story.world.chain.advance(90 * DAY);
    await story.mine();
    await story.world.expire();
    await story.world.watchers.restart('gentle');
    for (const invoice of [paid, expired]) story.pay(invoice);
    await story.mine(CONFIRMATIONS);
    expect(await story.stateOf(paid)).toMatchObject({ status: 'paid', paymentState: 'overpaid' });
    expect(await story.stateOf(expired)).toMatchObject({ status: 'expired', paymentState: 'late' });
  });

  it('[A19] money for an address that nobody has is kept, and the address is not given to anybody any more', async () => {
    await begin();
    const assigned = await story.invoice();
    const [free] = [...story.world.addresses].filter((address) => address !== assigned.priced.address);
    if (!free) throw new Error('no free address');
    story.world.chain.send({ to: free, amountUnits: 5n });
    await story.mine(CONFIRMATIONS);
    expect((await story.invoice()).priced.address).not.toBe(free);
    await story.read(assigned);
    expect(story.world.books.deposits).toMatchObject([{ walletId: null, amountUnits: '5', isPosted: true }]);
  });

  it('[A21] unconfirmed money is shown and not spendable', async () => {
    await begin();
    const invoice = await story.invoice();
    story.pay(invoice);
    await story.mine(CONFIRMATIONS - 1);
    expect(await story.read(invoice)).toMatchObject({
      amountPaidUnits: invoice.priced.dueUnits.toString(),
      amountConfirmedUnits: '0',
    });
    expect(story.world.books.accounts).toEqual([]);
  });

  it('a forced invoice that received too much says so at once, as the facts do', async () => {
    await begin();
    const invoice = await story.invoice({ minutes: 5 });
    story.pay(invoice, invoice.priced.dueUnits * 2n);
    await story.mineAt(tooLate(invoice));
    await story.mine(CONFIRMATIONS);
    expect(await force(invoice.uuid)).toMatchObject({ status: 'forcePaid' });
    story.memory.forced.add(invoice.uuid);
    expect(await story.stateOf(invoice)).toMatchObject({ status: 'forcePaid', paymentState: 'overpaid' });
  });
});

describe('reorgs', () => {
  it('[B1] at every depth from 1 to 30: the payment is taken back, told, and counted once when it returns', async () => {
    await begin({ confirmations: 1 });
    await story.world.addToPool(40);
    await story.world.tick();
    for (let depth = 1; depth <= 30; depth += 1) {
      const invoice = await story.invoice({ minutes: 1440 });
      story.pay(invoice);
      await story.mine(depth);
      story.world.chain.reorg({ depth, fate: 'mempool', extraBlocks: 0, isLate: true });
      await story.world.tick();
      expect(await story.read(invoice), `depth ${depth}`).toMatchObject({
        status: 'pending',
        paymentState: 'reversed',
        amountPaidUnits: '0',
        events: [{ sequence: 1 }, { sequence: 2, from: 'paid', to: 'pending', deliveries: [{}, {}] }],
        alarms: 1,
      });
      await story.mine();
      const { status, events } = await story.read(invoice);
      expect(status, `depth ${depth}`).toBe('paid');
      expect(events.map(({ to }) => to)).toEqual(['paid', 'pending', 'paid']);
      const ids = depositsOf(invoice.uuid).map(({ id }) => id);
      const booked = story.world.books.entries.filter(({ depositId }) => depositId !== null && ids.includes(depositId));
      expect(booked.map(({ kind }) => kind)).toEqual(['deposit', 'reversal', 'deposit']);
    }
  }, 120_000);

  it('[B1] a reorg that moves a payment to another block of the new branch is no news for anybody', async () => {
    await begin();
    const invoice = await story.invoice();
    story.pay(invoice);
    await story.mine(CONFIRMATIONS);
    story.world.chain.reorg({ depth: CONFIRMATIONS, fate: 'same place', extraBlocks: 1, isLate: false });
    await story.world.tick();
    expect(await story.stateOf(invoice)).toMatchObject({ status: 'paid', history: ['pending', 'paid'] });
  });

  it('[B1] a payment that was seen in time stays in time when a reorg moves it past the end', async () => {
    await begin();
    const invoice = await story.invoice({ minutes: 5 });
    story.pay(invoice);
    await story.mine(CONFIRMATIONS);
    expect((await story.stateOf(invoice)).status).toBe('paid');
    story.world.chain.advance(2 * HOUR);
    story.world.chain.reorg({ depth: CONFIRMATIONS, fate: 'last block', extraBlocks: 1, isLate: true });
    await story.world.tick();
    await story.mine(CONFIRMATIONS);
    expect(await story.read(invoice)).toMatchObject({
      status: 'paid',
      paymentState: 'settled',
      amountPaidUnits: invoice.priced.dueUnits.toString(),
    });
  });

  it('[B1] a reversed payment that returns within 24 hours pays its invoice, although its time is over', async () => {
    await begin();
    const invoice = await story.invoice({ minutes: 5 });
    story.pay(invoice);
    await story.mine(CONFIRMATIONS);
    story.world.chain.reorg({ depth: CONFIRMATIONS, fate: 'mempool', extraBlocks: 0, isLate: false });
    await story.world.tick();
    expect((await story.stateOf(invoice)).paymentState).toBe('reversed');
    story.world.chain.advance(20 * HOUR);
    await story.mine(CONFIRMATIONS);
    await story.world.expire();
    expect(await story.stateOf(invoice)).toEqual({
      status: 'paid',
      paymentState: 'settled',
      history: ['pending', 'paid', 'pending', 'paid'],
    });
  });
});

describe('clocks', () => {
  it.each([
    ['10 minutes behind', -600],
    ['right', 0],
    ['10 minutes ahead', 600],
  ])(
    '[B8] with a database clock that is %s, who pays while the page shows time left has paid in time',
    async (_, databaseSkewSeconds) => {
      await begin({ databaseSkewSeconds });
      const invoice = await story.invoice({ minutes: 5 });
      story.world.chain.advance(200);
      story.pay(invoice);
      await story.mine(CONFIRMATIONS);
      expect(await story.stateOf(invoice)).toMatchObject({ status: 'paid', paymentState: 'settled' });
    },
  );

  it.each([-600, 600])(
    '[B8] with a database clock that is wrong by %i seconds, what nobody pays still expires',
    async (databaseSkewSeconds) => {
      await begin({ databaseSkewSeconds });
      const invoice = await story.invoice({ minutes: 5 });
      await story.mineAt(tooLate(invoice));
      await story.world.expire();
      expect(await story.stateOf(invoice)).toMatchObject({ status: 'expired', history: ['pending', 'expired'] });
    },
  );

  it('[C5] a payment in the last second wins over the expiry that runs beside it; one second later it is late', async () => {
    await begin();
    const [last, late] = [await story.invoice({ minutes: 5 }), await story.invoice({ minutes: 5 })];
    const { chain } = story.world;
    story.pay(last);
    chain.mineAt(addSeconds(last.expiresAt, GRACE_SECONDS));
    story.pay(late);
    chain.mineAt(tooLate(late));
    chain.mine(CONFIRMATIONS);
    await Promise.all([story.world.tick(), ...Array.from({ length: 10 }, () => story.world.expire())]);
    await story.world.expire();
    expect(await story.stateOf(last)).toMatchObject({ status: 'paid', history: ['pending', 'paid'] });
    expect(await story.stateOf(late)).toMatchObject({ status: 'expired', paymentState: 'late' });
  });
});

describe('races', () => {
  it('[C4] 50 concurrent callers of both check-payments, expiry and two watchers make one transition, one event, one mail and one set of postings', async () => {
    await begin();
    const { world, memory } = story;
    const invoice = await story.invoice({ minutes: 5 });
    await setInvoiceEmail(databases.web, invoice.uuid, 'elena@example.com', world.clock);
    memory.eventsBeforeEmail.set(invoice.uuid, 0);
    story.pay(invoice);
    world.chain.mine(CONFIRMATIONS);
    world.chain.advance(HOUR);
    world.chain.mine();
    const callers = [
      () => world.tick(),
      () => world.watchers.tick('other'),
      () => checkPublicPayment(databases.web, invoice.uuid, world.clock),
      () => checkPayment(databases.web, world.merchant.userId, invoice.uuid, world.clock),
      () => world.expire(),
    ];
    await Promise.all(Array.from({ length: 50 }, (_, index) => callers[index % callers.length]?.()));
    expect(await story.read(invoice)).toMatchObject({
      status: 'paid',
      events: [{ sequence: 1, from: 'pending', to: 'paid', deliveries: [{}, {}] }],
      history: ['pending', 'paid'],
      receipts: 1,
    });
    const [deposit] = depositsOf(invoice.uuid);
    const units = invoice.priced.dueUnits.toString();
    expect(world.books.entries).toEqual([
      {
        kind: 'deposit',
        depositId: deposit?.id,
        postings: expect.arrayContaining([
          { account: 'wallet', walletId: deposit?.walletId, address: null, units },
          { account: 'custody', walletId: null, address: deposit?.address, units },
        ]),
      },
    ]);
    expect(world.books.entries[0]?.postings).toHaveLength(2);
  });

  it('[C4] beside a watcher that reads block after block, 50 callers at a time never deadlock', async () => {
    await begin();
    const { world } = story;
    await world.addToPool(10);
    await world.tick();
    const invoices: PricedInvoice[] = [];
    for (let count = 0; count < 10; count += 1) invoices.push(await story.invoice());
    for (let round = 0; round < 10; round += 1) {
      for (const invoice of invoices) story.pay(invoice, invoice.priced.dueUnits / 8n + 1n);
      world.chain.mine();
      if (round % 3 === 2) world.chain.reorg({ depth: 4, fate: 'mixed', extraBlocks: 1, isLate: false });
      const checks = Array.from({ length: 50 }, (_, index) => {
        const uuid = invoices[index % invoices.length]?.uuid ?? '';
        return checkPublicPayment(databases.web, uuid, world.clock);
      });
      await Promise.all([world.tick(), world.expire(), ...checks]);
      await world.inspect(story.memory);
    }
  });

  it('[B1] an invoice whose money a reorg takes while it is being forced is not forced', async () => {
    await begin();
    const { world } = story;
    const invoice = await story.invoice();
    story.pay(invoice, invoice.priced.dueUnits / 2n);
    await story.mine(CONFIRMATIONS);
    const { pool } = databases.owner;
    const holder = await pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM invoice WHERE id = $1 FOR UPDATE', [invoice.id]);
    const forcing = Promise.allSettled([force(invoice.uuid)]);
    const waiting = `SELECT count(*)::int FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await vi.waitFor(async () => expect(await test.asSuperuser(waiting)).toEqual([{ count: 1 }]), PATIENCE);
    world.chain.reorg({ depth: CONFIRMATIONS, fate: 'lost', extraBlocks: 1, isLate: false });
    const reading = world.tick();
    const gone = 'SELECT count(*)::int FROM deposit WHERE orphaned_at IS NOT NULL';
    await vi.waitFor(async () => expect((await pool.query(gone)).rows).toEqual([{ count: 1 }]), PATIENCE);
    await holder.query('COMMIT');
    holder.release();
    await reading;
    expect(await forcing).toMatchObject([{ status: 'rejected', reason: { code: 'force_not_allowed' } }]);
    expect(await story.stateOf(invoice)).toMatchObject({ status: 'pending', history: ['pending'] });
  });

  it('[C3] [C7] two watchers credit a deposit once; an email is stored once however many give one', async () => {
    await begin();
    const { world, memory } = story;
    const invoice = await story.invoice();
    const given = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        setInvoiceEmail(databases.web, invoice.uuid, `cliente${index}@example.com`, world.clock),
      ),
    );
    expect(given.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    memory.eventsBeforeEmail.set(invoice.uuid, 0);
    story.pay(invoice);
    world.chain.mine(CONFIRMATIONS);
    world.node.beforeNextScan(() => world.watchers.takeOver());
    await world.tick();
    await Promise.all([world.tick(), world.watchers.tick('other')]);
    expect(await story.read(invoice)).toMatchObject({ status: 'paid', receipts: 1, history: ['pending', 'paid'] });
    expect(depositsOf(invoice.uuid)).toHaveLength(1);
  });
});
