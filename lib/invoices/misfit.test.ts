import { expect, it } from 'vitest';
import { PAYMENT_STATES, type PaymentState } from '@/lib/shared/invoice-status';
import { leastToldUnits } from '@/lib/shared/money';
import { misfitOf } from './misfit';
import type { Decision } from './state';

const TOLD = leastToldUnits('ETH');
const priced = { coin: 'ETH', chain: 'ethereum', dueUnits: 10n ** 16n, chainEpoch: 0 } as const;
const decision = (paymentState: PaymentState, amountReceivedUnits: bigint): Decision => ({
  ...{ status: 'expired', paymentState, amountPaidUnits: 0n, amountConfirmedUnits: 0n, amountReceivedUnits },
  ...{ confirmations: 0, reversedAt: null, paidAt: null, usesLate: false },
});
const before = (paymentState: PaymentState, amountReceivedUnits = 0n) => ({
  priced,
  paymentState,
  amountReceivedUnits,
});

it('money that does not fit comes up when it begins: late as such, too much as such, and nothing else', () => {
  const told = PAYMENT_STATES.map((state) => [state, misfitOf(before('unpaid'), decision(state, TOLD))]);
  expect(told.filter(([, misfit]) => misfit !== null)).toEqual([
    ['overpaid', 'invoice.overpaid'],
    ['late', 'invoice.paymentLate'],
  ]);
});

it('comes up again when more joins it that is worth telling, and not for less', () => {
  expect(misfitOf(before('late', TOLD), decision('late', 2n * TOLD))).toBe('invoice.paymentLate');
  expect(misfitOf(before('late', TOLD), decision('late', 2n * TOLD - 1n))).toBeNull();
  expect(misfitOf(before('late', TOLD), decision('overpaid', TOLD))).toBe('invoice.overpaid');
});

it('is nothing of an invoice without a coin', () => {
  expect(misfitOf({ ...before('unpaid'), priced: null }, decision('late', TOLD))).toBeNull();
});
