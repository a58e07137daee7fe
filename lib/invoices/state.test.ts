import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COIN_INFO } from '@/lib/shared/coins';
import type { DepositFact } from './counted-money';
import { type ChainFacts, type Decision, decide, type InvoiceFacts } from './state';

const EXPIRY = new Date('2026-11-27T12:00:00Z');
const at = (seconds: number) => new Date(EXPIRY.getTime() + seconds * 1000);
const DUE = 1_000_000n * 10n ** 10n;
const SHOWN = 10n ** 10n;
const DUST = COIN_INFO.ETH.dustUnits;

const invoice = (over: Partial<InvoiceFacts> = {}): InvoiceFacts => ({
  status: 'pending',
  expiresAt: EXPIRY,
  downtimeSeconds: 0,
  toleranceBasisPoints: 0,
  acceptsLate: false,
  takesLateFrom: null,
  reversedAt: null,
  paidAt: null,
  priced: { coin: 'ETH', chain: 'ethereum', dueUnits: DUE, chainEpoch: 0 },
  ...over,
});

/** A chain that was read up to a height, under a rule of three confirmations. */
const chain = (over: Partial<Omit<ChainFacts, 'confirmedHeight'>> = {}): ChainFacts => {
  const facts = { height: 100n, time: at(-600), epoch: 0, ...over };
  return { ...facts, confirmedHeight: facts.height === null ? null : facts.height - 2n };
};

const deposit = (over: Partial<DepositFact> = {}): DepositFact => ({
  amountUnits: DUE,
  blockHeight: 90n,
  blockTime: at(-700),
  seenAt: over.blockTime ?? at(-700),
  extraConfirmations: 0,
  orphaned: false,
  bookedAt: null,
  ...over,
});

/** The invoice as it stands after a decision was written. */
const written = (facts: InvoiceFacts, { status, reversedAt, paidAt, usesLate }: Decision): InvoiceFacts => ({
  ...facts,
  status,
  reversedAt,
  paidAt,
  acceptsLate: facts.acceptsLate || usesLate,
});

const settled = (facts: InvoiceFacts, deposits: DepositFact[], chainFacts: ChainFacts) =>
  decide(facts, deposits, chainFacts, at(0));

describe('decide, case by case', () => {
  it('pending stays unpaid while nothing arrives', () => {
    expect(settled(invoice(), [], chain())).toMatchObject({ status: 'pending', paymentState: 'unpaid' });
  });

  it('pending becomes paid when in-time money that is confirmed reaches what is due', () => {
    expect(settled(invoice(), [deposit()], chain())).toMatchObject({
      status: 'paid',
      paymentState: 'settled',
      amountPaidUnits: DUE,
      amountConfirmedUnits: DUE,
      paidAt: at(-600),
    });
  });

  it('full payment without enough confirmations is confirming, in the mempool it is seen, and nobody is asked again', () => {
    expect(settled(invoice(), [deposit({ blockHeight: 99n })], chain())).toMatchObject({
      status: 'pending',
      paymentState: 'confirming',
      confirmations: 2,
      amountConfirmedUnits: 0n,
    });
    expect(settled(invoice(), [deposit({ blockHeight: null, blockTime: null })], chain())).toMatchObject({
      status: 'pending',
      paymentState: 'seen',
    });
  });

  it('several partial payments add up', () => {
    const half = deposit({ amountUnits: DUE / 2n });
    expect(settled(invoice(), [half], chain())).toMatchObject({ status: 'pending', paymentState: 'partial' });
    expect(settled(invoice(), [half, half], chain())).toMatchObject({ status: 'paid', paymentState: 'settled' });
  });

  it('[A18] one smallest shown unit short is partial, less than that is paid', () => {
    expect(settled(invoice(), [deposit({ amountUnits: DUE - SHOWN })], chain()).status).toBe('pending');
    expect(settled(invoice(), [deposit({ amountUnits: DUE - SHOWN + 1n })], chain()).status).toBe('paid');
  });

  it('more than dust too much is overpaid, less than that is not', () => {
    expect(settled(invoice(), [deposit({ amountUnits: DUE + DUST })], chain()).paymentState).toBe('overpaid');
    expect(settled(invoice(), [deposit({ amountUnits: DUE + DUST - 1n })], chain()).paymentState).toBe('settled');
  });

  it('[A19] a second payment after paid is overpaid, never lost', () => {
    const second = deposit({ blockHeight: 99n, blockTime: at(-610) });
    expect(settled(invoice({ status: 'paid', paidAt: at(-650) }), [deposit(), second], chain())).toMatchObject({
      status: 'paid',
      paymentState: 'overpaid',
      paidAt: at(-650),
    });
  });

  it('[B8] expires only when chain time has passed expiry and its grace, whatever the clock says', () => {
    expect(decide(invoice(), [], chain({ time: at(60) }), at(99_999)).status).toBe('pending');
    expect(decide(invoice(), [], chain({ time: at(61) }), at(-99_999)).status).toBe('expired');
    expect(decide(invoice(), [], chain({ time: null, height: null }), at(99_999)).status).toBe('pending');
  });

  it('without a coin the clock decides', () => {
    expect(decide(invoice({ priced: null }), [], chain(), at(-1)).status).toBe('pending');
    expect(decide(invoice({ priced: null }), [], chain(), at(0)).status).toBe('expired');
  });

  it('does not expire while full payment seen in time still confirms, and then becomes paid', () => {
    const late = chain({ time: at(500), height: 91n });
    const seen = deposit({ blockHeight: 90n, blockTime: at(-1) });
    expect(settled(invoice(), [seen], late)).toMatchObject({ status: 'pending', paymentState: 'confirming' });
    expect(settled(invoice(), [seen], chain({ time: at(500), height: 92n }))).toMatchObject({ status: 'paid' });
  });

  it('money in a block within the grace is in time, after it late', () => {
    expect(settled(invoice(), [deposit({ blockTime: at(60) })], chain({ time: at(60) })).status).toBe('paid');
    expect(settled(invoice(), [deposit({ blockTime: at(61) })], chain({ time: at(61) }))).toMatchObject({
      status: 'expired',
      paymentState: 'late',
      amountPaidUnits: 0n,
    });
  });

  it('[B1] money that was seen in time stays in time when a reorg moves it to a later block', () => {
    const moved = deposit({ seenAt: at(-700), blockTime: at(3600) });
    expect(settled(invoice(), [moved], chain({ time: at(3700) }))).toMatchObject({
      status: 'paid',
      paymentState: 'settled',
      amountPaidUnits: DUE,
    });
    const returned = invoice({ reversedAt: at(-500) });
    expect(settled(returned, [moved], chain({ time: at(3700) })).status).toBe('paid');
  });

  it('[B8] money that was first seen by a slow clock, or long after its block, counts by the earlier of the two', () => {
    expect(settled(invoice(), [deposit({ seenAt: at(-1), blockTime: at(599) })], chain()).status).toBe('paid');
    expect(settled(invoice(), [deposit({ seenAt: at(9999), blockTime: at(60) })], chain()).status).toBe('paid');
    expect(settled(invoice(), [deposit({ seenAt: at(61), blockTime: at(61) })], chain()).status).toBe('pending');
  });

  it('[A17] dust is counted and changes nothing that people see', () => {
    const dust = deposit({ amountUnits: SHOWN - 1n });
    expect(settled(invoice(), [dust], chain())).toMatchObject({ paymentState: 'unpaid', amountPaidUnits: SHOWN - 1n });
    expect(settled(invoice(), [deposit({ amountUnits: SHOWN })], chain()).paymentState).toBe('partial');
    const late = { blockTime: at(3600), seenAt: at(3600) };
    const expired = invoice({ status: 'expired' });
    expect(settled(expired, [deposit({ ...late, amountUnits: DUST - 1n })], chain()).paymentState).toBe('unpaid');
    expect(settled(expired, [deposit({ ...late, amountUnits: DUST })], chain()).paymentState).toBe('late');
  });

  it('late money leaves an expired invoice expired, for the merchant to judge', () => {
    const late = deposit({ blockHeight: 95n, blockTime: at(3600) });
    expect(settled(invoice({ status: 'expired' }), [late], chain({ time: at(4000) }))).toMatchObject({
      status: 'expired',
      paymentState: 'late',
    });
  });

  it('late money that the owner accepts pays an expired invoice, and keeps it paid', () => {
    const late = deposit({ blockHeight: 95n, blockTime: at(3600) });
    const expired = invoice({ status: 'expired', acceptsLate: true });
    const paid = settled(expired, [late], chain({ time: at(4000) }));
    expect(paid).toMatchObject({ status: 'paid', paymentState: 'settled', amountPaidUnits: DUE, usesLate: true });
    expect(settled(written(expired, paid), [late], chain({ time: at(5000) })).status).toBe('paid');
  });

  it('late money that is accepted must confirm like any other', () => {
    const late = deposit({ blockHeight: 99n, blockTime: at(3600) });
    expect(settled(invoice({ status: 'expired', acceptsLate: true }), [late], chain({ time: at(4000) })).status).toBe(
      'expired',
    );
  });

  it('a tolerance counts a little less as paid, to the unit', () => {
    const tolerant = invoice({ toleranceBasisPoints: 50 });
    const least = DUE - DUE / 200n;
    expect(settled(tolerant, [deposit({ amountUnits: least })], chain()).status).toBe('paid');
    expect(settled(tolerant, [deposit({ amountUnits: least - 1n })], chain())).toMatchObject({
      status: 'pending',
      paymentState: 'partial',
    });
  });

  it('the time in which the watcher was down does not count against the payer', () => {
    const patient = invoice({ downtimeSeconds: 300 });
    expect(settled(patient, [], chain({ time: at(360) })).status).toBe('pending');
    expect(settled(patient, [deposit({ blockTime: at(360) })], chain({ time: at(360) })).status).toBe('paid');
    expect(settled(patient, [], chain({ time: at(361) })).status).toBe('expired');
  });

  it('an orphaned payment takes paid back to pending, reversed, and waits 24 hours of chain time for its return', () => {
    const paid = invoice({ status: 'paid', paidAt: at(-650) });
    const gone = [deposit({ orphaned: true })];
    const reversed = settled(paid, gone, chain());
    expect(reversed).toMatchObject({ status: 'pending', paymentState: 'reversed', reversedAt: at(-600), paidAt: null });
    const waiting = written(paid, reversed);
    expect(settled(waiting, gone, chain({ time: at(24 * 3600 - 600) })).status).toBe('pending');
    expect(settled(waiting, gone, chain({ time: at(24 * 3600 - 599) })).status).toBe('expired');
    expect(settled(waiting, [deposit()], chain())).toMatchObject({ status: 'paid', reversedAt: null });
  });

  it('forced stays forced, whatever arrives or goes', () => {
    const forced = invoice({ status: 'forcePaid', paidAt: at(-650) });
    expect(settled(forced, [], chain({ time: at(9999) })).status).toBe('forcePaid');
    expect(settled(forced, [deposit({ orphaned: true })], chain()).status).toBe('forcePaid');
  });

  it('the policy takes late money that was booked since it holds, or waits for its booking, and no earlier', () => {
    const expired = invoice({ status: 'expired', takesLateFrom: at(5000) });
    const late = (bookedAt: Date | null) => deposit({ blockHeight: 95n, blockTime: at(3600), bookedAt });
    const now = chain({ time: at(9000) });
    expect(settled(expired, [late(at(4999))], now)).toMatchObject({
      status: 'expired',
      paymentState: 'late',
      amountPaidUnits: 0n,
      usesLate: false,
    });
    expect(settled(expired, [late(at(5000))], now)).toMatchObject({ status: 'paid', usesLate: true });
    expect(settled(expired, [late(null)], now)).toMatchObject({ status: 'paid', usesLate: true });
    expect(settled({ ...expired, acceptsLate: true }, [late(at(4999))], now)).toMatchObject({ status: 'paid' });
  });

  it('what was late before the policy counts once later money pays under it: all of it is the invoice’s then', () => {
    const expired = invoice({ status: 'expired', takesLateFrom: at(5000) });
    const before = deposit({ blockHeight: 90n, blockTime: at(3600), bookedAt: at(3700), amountUnits: DUE / 2n });
    const since = deposit({ blockHeight: 95n, blockTime: at(6000), bookedAt: at(6100) });
    const now = chain({ time: at(9000) });
    const paid = settled(expired, [before, since], now);
    expect(paid).toMatchObject({ status: 'paid', usesLate: true, amountPaidUnits: DUE + DUE / 2n });
    expect(settled(written(expired, paid), [before, since], now)).toEqual(paid);
    const half = { ...since, amountUnits: DUE / 2n };
    expect(settled(expired, [before, half], now)).toMatchObject({ status: 'expired', amountPaidUnits: DUE / 2n });
  });

  it('a replaced devnet ends what was open and keeps what was paid', () => {
    expect(settled(invoice(), [], chain({ epoch: 1 })).status).toBe('expired');
    expect(settled(invoice({ status: 'paid', paidAt: at(-650) }), [], chain({ epoch: 1 })).status).toBe('paid');
  });
});

const anyDeposit: fc.Arbitrary<DepositFact> = fc
  .record({
    amountUnits: fc.bigInt({ min: 1n, max: 2n * DUE }),
    blockHeight: fc.option(fc.bigInt({ min: 80n, max: 110n })),
    offset: fc.integer({ min: -2000, max: 2000 }),
    sightOffset: fc.integer({ min: -2000, max: 2000 }),
    bookedOffset: fc.option(fc.integer({ min: -2000, max: 4000 })),
    orphaned: fc.boolean(),
    extraConfirmations: fc.constantFrom(0, 0, 100),
  })
  .map(({ offset, sightOffset, bookedOffset, ...facts }) => ({
    ...facts,
    bookedAt: bookedOffset === null ? null : at(bookedOffset),
    blockTime: facts.blockHeight === null ? null : at(offset),
    seenAt: at(sightOffset),
  }));
const anyDeposits = fc.array(anyDeposit, { maxLength: 6 });
const anyChain = fc
  .record({ height: fc.bigInt({ min: 80n, max: 120n }), offset: fc.integer({ min: -3000, max: 100_000 }) })
  .map(({ height, offset }) => chain({ height, time: at(offset) }));
const anyStatus = fc.constantFrom<InvoiceFacts['status']>('pending', 'paid', 'expired', 'forcePaid');
const anyInvoice = fc
  .record({
    status: anyStatus,
    reversed: fc.boolean(),
    acceptsLate: fc.boolean(),
    policyOffset: fc.option(fc.integer({ min: -2000, max: 4000 })),
  })
  .map(({ status, reversed, acceptsLate, policyOffset }) =>
    invoice({
      status,
      acceptsLate,
      takesLateFrom: policyOffset === null ? null : at(policyOffset),
      reversedAt: status === 'pending' && reversed ? at(-500) : null,
      paidAt: status === 'paid' || status === 'forcePaid' ? at(-650) : null,
    }),
  );

describe('decide, for every combination of facts', () => {
  it('does not depend on the order of payments', () => {
    fc.assert(
      fc.property(
        anyInvoice,
        anyDeposits.chain((deposits) =>
          fc.tuple(fc.constant(deposits), fc.shuffledSubarray(deposits, { minLength: deposits.length })),
        ),
        anyChain,
        (facts, [deposits, shuffled], chainFacts) => {
          expect(settled(facts, shuffled, chainFacts)).toEqual(settled(facts, deposits, chainFacts));
        },
      ),
    );
  });

  it('deciding twice changes nothing, and no status moves back and forth', () => {
    fc.assert(
      fc.property(anyInvoice, anyDeposits, anyChain, (facts, deposits, chainFacts) => {
        const first = settled(facts, deposits, chainFacts);
        const second = settled(written(facts, first), deposits, chainFacts);
        expect(settled(written(facts, second), deposits, chainFacts)).toEqual(second);
        if (first.status !== 'pending' || first.reversedAt === null) expect(second).toEqual(first);
      }),
    );
  });

  it('only makes transitions that the database admits', () => {
    const legal = ['pending>paid', 'pending>expired', 'expired>paid', 'paid>pending'];
    fc.assert(
      fc.property(anyInvoice, anyDeposits, anyChain, (facts, deposits, chainFacts) => {
        const { status } = settled(facts, deposits, chainFacts);
        if (status !== facts.status) expect(legal).toContain(`${facts.status}>${status}`);
      }),
    );
  });

  it('counts as paid what was seen in time and as confirmed never more than that', () => {
    fc.assert(
      fc.property(anyInvoice, anyDeposits, anyChain, (facts, deposits, chainFacts) => {
        const decision = settled(facts, deposits, chainFacts);
        const takesAll = facts.acceptsLate || decision.usesLate;
        const until = takesAll ? at(1e9) : at(60 + facts.downtimeSeconds);
        const isInTime = ({ seenAt, blockTime }: DepositFact) => seenAt <= until || (blockTime ?? seenAt) <= until;
        const isThePolicys = ({ bookedAt }: DepositFact) =>
          facts.takesLateFrom !== null && !(bookedAt && bookedAt < facts.takesLateFrom);
        const counted = deposits.filter((d) => !d.orphaned && (isInTime(d) || isThePolicys(d)));
        expect(decision.amountPaidUnits).toBe(counted.reduce((sum, d) => sum + d.amountUnits, 0n));
        expect(decision.amountConfirmedUnits <= decision.amountPaidUnits).toBe(true);
      }),
    );
  });

  it('a policy settles nothing that was booked before it held', () => {
    fc.assert(
      fc.property(anyInvoice, anyDeposits, anyChain, (facts, deposits, chainFacts) => {
        const booked = deposits.map((d) => ({ ...d, bookedAt: d.bookedAt ?? at(0) }));
        const without = settled({ ...facts, takesLateFrom: null }, booked, chainFacts);
        expect(settled({ ...facts, takesLateFrom: at(4001) }, booked, chainFacts)).toEqual(without);
      }),
    );
  });

  it('more money never takes a settled invoice back', () => {
    fc.assert(
      fc.property(anyDeposits, anyDeposit, anyChain, (deposits, extra, chainFacts) => {
        const before = settled(invoice(), deposits, chainFacts);
        const withMore = settled(invoice(), [...deposits, extra], chainFacts);
        if (before.status === 'paid') expect(withMore.status).toBe('paid');
      }),
    );
  });
});
