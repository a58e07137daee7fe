import { describe, expect, it } from 'vitest';
import { coversDue, INVOICE_STATUSES, isPaidStatus, isPartlyPaid, PAYMENT_STATES } from './invoice-status';

describe('isPaidStatus', () => {
  it('holds for what the chain paid and for what the owner forced, and for nothing else', () => {
    expect(INVOICE_STATUSES.filter(isPaidStatus)).toEqual(['paid', 'forcePaid']);
  });
});

describe('coversDue', () => {
  it('holds from the moment all money was seen, and no longer once the network took it back', () => {
    expect(PAYMENT_STATES.filter(coversDue)).toEqual(['seen', 'confirming', 'settled', 'overpaid']);
  });
});

describe('isPartlyPaid', () => {
  it('is over with the invoice: an expired one asks nobody for the rest', () => {
    const partly = INVOICE_STATUSES.filter((status) => isPartlyPaid({ status, paymentState: 'partial' }));
    expect(partly).toEqual(['pending']);
    expect(isPartlyPaid({ status: 'pending', paymentState: 'seen' })).toBe(false);
  });
});
