import { describe, expect, it } from 'vitest';
import { COIN_INFO } from '@/lib/shared/coins';
import type { DepositFact } from './counted-money';
import { type ChainFacts, decide, type InvoiceFacts } from './state';

const EXPIRY = new Date('2026-11-27T12:00:00Z');
const at = (seconds: number) => new Date(EXPIRY.getTime() + seconds * 1000);
const DUE = 10n ** 16n;
const SHOWN = 10n ** 10n;
const DUST = COIN_INFO.ETH.dustUnits;
const NOW = at(-5);

const invoice = (over: Partial<InvoiceFacts> = {}): InvoiceFacts => ({
  ...{ status: 'pending', expiresAt: EXPIRY, downtimeSeconds: 0, toleranceBasisPoints: 0, acceptsLate: false },
  takesLateFrom: null,
  ...{ reversedAt: null, paidAt: null, priced: { coin: 'ETH', chain: 'ethereum', dueUnits: DUE, chainEpoch: 0 } },
  ...over,
});
const chain = (over: Partial<ChainFacts> = {}): ChainFacts => ({
  ...{ height: 100n, confirmedHeight: 98n, time: at(-600), epoch: 0 },
  ...over,
});
const deposit = (over: Partial<DepositFact> = {}): DepositFact => ({
  ...{
    amountUnits: DUE,
    blockHeight: 90n,
    blockTime: at(-700),
    seenAt: at(-700),
    bookedAt: at(-700),
    extraConfirmations: 0,
    orphaned: false,
  },
  ...over,
});
const decided = (facts: InvoiceFacts, deposits: DepositFact[] = [], chainFacts = chain()) =>
  decide(facts, deposits, chainFacts, NOW);

describe('a forced invoice says what came', () => {
  it.each([
    ['nothing', [], 'unpaid'],
    ['a unit', [deposit({ amountUnits: 1n })], 'settled'],
    ['all of it', [deposit()], 'settled'],
    ['too much, by what is told', [deposit({ amountUnits: DUE + DUST })], 'overpaid'],
    ['too much, by less', [deposit({ amountUnits: DUE + DUST - 1n })], 'settled'],
  ] as const)('%s', (_, deposits, paymentState) => {
    const forced = invoice({ status: 'forcePaid', paidAt: at(-650) });
    expect(decided(forced, [...deposits])).toMatchObject({ status: 'forcePaid', paymentState, paidAt: at(-650) });
  });
});

describe('an invoice that is over', () => {
  it('is partial, unpaid or late by what came, and its money in time is not called late', () => {
    const over = invoice({ status: 'expired' });
    const late = { blockTime: at(3600), seenAt: at(3600) };
    const stateOf = (...deposits: DepositFact[]) => decided(over, deposits, chain({ time: at(4000) })).paymentState;
    expect(stateOf()).toBe('unpaid');
    expect(stateOf(deposit({ amountUnits: SHOWN }))).toBe('partial');
    expect(stateOf(deposit({ amountUnits: SHOWN }), deposit({ ...late, amountUnits: DUST }))).toBe('late');
  });

  it('whose money in time comes up before it is confirmed is confirming, in the mempool seen, and still over', () => {
    const over = invoice({ status: 'expired' });
    expect(decided(over, [deposit({ blockHeight: 99n })])).toMatchObject({
      ...{ status: 'expired', paymentState: 'confirming', paidAt: null },
    });
    expect(decided(over, [deposit({ blockHeight: null, blockTime: null })])).toMatchObject({ paymentState: 'seen' });
  });

  it('on a chain that was replaced stays over, whatever comes', () => {
    expect(decided(invoice({ status: 'expired' }), [deposit()], chain({ epoch: 1 })).status).toBe('expired');
  });
});

describe('an open invoice', () => {
  it('with late money and nothing else is unpaid: late is what comes after it is over', () => {
    const late = deposit({ blockTime: at(3600), seenAt: at(3600), amountUnits: DUST });
    expect(decided(invoice(), [late])).toMatchObject({
      ...{ status: 'pending', paymentState: 'unpaid', amountPaidUnits: 0n, amountReceivedUnits: DUST },
    });
  });

  it('that one transfer covers in the mempool is seen, although another is mined', () => {
    const parts = [
      deposit({ amountUnits: DUE / 2n }),
      deposit({ amountUnits: DUE / 2n, blockHeight: null, blockTime: null }),
    ];
    expect(decided(invoice(), parts)).toMatchObject({ paymentState: 'seen', confirmations: 0 });
  });

  it('tells the fewest confirmations among the money that counts', () => {
    const parts = [
      deposit({ amountUnits: DUE / 4n, blockHeight: 91n }),
      deposit({ amountUnits: DUE / 4n, blockHeight: 95n }),
    ];
    expect(decided(invoice(), parts).confirmations).toBe(6);
    expect(decided(invoice()).confirmations).toBe(0);
  });

  it('whose payment was reversed says so, unless other money covers it', () => {
    const reversed = invoice({ reversedAt: at(-500) });
    expect(decided(reversed)).toMatchObject({ status: 'pending', paymentState: 'reversed', reversedAt: at(-500) });
    expect(decided(reversed, [deposit({ blockHeight: 99n })])).toMatchObject({ paymentState: 'confirming' });
    expect(decided(reversed, [deposit()])).toMatchObject({ status: 'paid', reversedAt: null });
  });

  it('that expires is reversed no more', () => {
    const reversed = invoice({ reversedAt: at(-500) });
    const over = decided(reversed, [], chain({ time: at(24 * 3600) }));
    expect(over).toMatchObject({ status: 'expired', paymentState: 'unpaid', reversedAt: null });
  });
});

describe('the moment of payment', () => {
  it('is the chain’s time, ours where it has none, and stays once it is known', () => {
    expect(decided(invoice(), [deposit()]).paidAt).toEqual(at(-600));
    const timeless = invoice({ status: 'forcePaid' });
    expect(decided(timeless, [], chain({ time: null, height: null, confirmedHeight: null })).paidAt).toEqual(NOW);
    expect(decided(invoice({ status: 'paid', paidAt: at(-650) }), [deposit()]).paidAt).toEqual(at(-650));
  });

  it('of a reversal is the chain’s time, or ours where it has none', () => {
    const paid = invoice({ status: 'paid', paidAt: at(-650) });
    expect(decided(paid).reversedAt).toEqual(at(-600));
    expect(decided(paid, [], chain({ time: null })).reversedAt).toEqual(NOW);
  });
});

describe('late money is used', () => {
  const late = deposit({ blockTime: at(3600), seenAt: at(3600), amountUnits: DUE / 2n });
  const inTime = deposit({ amountUnits: DUE / 2n });
  const after = chain({ time: at(4000) });

  it('when it is part of what paid, and was accepted', () => {
    const expired = invoice({ status: 'expired', acceptsLate: true });
    expect(decided(expired, [inTime, late], after)).toMatchObject({ status: 'paid', usesLate: true });
  });

  it.each<[string, Partial<InvoiceFacts>, DepositFact[]]>([
    ['when all of it was in time', { acceptsLate: true }, [inTime, inTime]],
    ['when it was not accepted', { status: 'expired' }, [inTime, inTime, late]],
    ['when it does not suffice', { status: 'expired', acceptsLate: true }, [late]],
  ])('not %s', (_, over, deposits) => {
    expect(decided(invoice(over), deposits, after).usesLate).toBe(false);
  });
});

it('without a coin an invoice has no money and keeps what was decided on it', () => {
  const nothing = {
    ...{ paymentState: 'unpaid', amountPaidUnits: 0n, amountConfirmedUnits: 0n, amountReceivedUnits: 0n },
    ...{ confirmations: 0, reversedAt: null, usesLate: false },
  };
  const unpriced = { priced: null, expiresAt: at(-10) };
  expect(decided(invoice(unpriced))).toEqual({ ...nothing, status: 'expired', paidAt: null });
  const forced = invoice({ ...unpriced, status: 'forcePaid', paidAt: at(-20) });
  expect(decided(forced)).toEqual({ ...nothing, status: 'forcePaid', paidAt: at(-20) });
});
