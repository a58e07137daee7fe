import { describe, expect, it } from 'vitest';
import { isFinal, payScreen } from './pay-screen';

const wallet = { uuid: 'w', address: '0xAb', balance: '0.00000000', cryptoType: 'ETH' } as const;
const fresh = { status: 'pending', paymentState: 'unpaid', email: null, cryptoType: null, wallet: null } as const;
const ready = { ...fresh, email: 'el•••@example.com', cryptoType: 'ETH', wallet } as const;

describe('payScreen', () => {
  it('[S4.6-01] asks for the email, then the coin, then the payment', () => {
    expect(payScreen(fresh, false)).toBe('email');
    expect(payScreen({ ...ready, cryptoType: null, wallet: null }, false)).toBe('coin');
    expect(payScreen(ready, false)).toBe('pay');
    expect(payScreen({ ...ready, email: null }, false)).toBe('email');
  });

  it('[S4.5-08] is expired when the time is up and nothing was seen', () => {
    expect(payScreen(ready, true)).toBe('expired');
    expect(payScreen(fresh, true)).toBe('expired');
    expect(payScreen({ ...ready, paymentState: 'partial' }, true)).toBe('expired');
  });

  it.each(['seen', 'confirming', 'overpaid'] as const)(
    'waits for confirmations once all was %s, also at zero',
    (paymentState) => {
      expect(payScreen({ ...ready, paymentState }, false)).toBe('confirming');
      expect(payScreen({ ...ready, paymentState }, true)).toBe('confirming');
      expect(payScreen({ ...ready, email: null, paymentState }, true)).toBe('confirming');
    },
  );

  it('[S4.3-06] derives the partial state', () => {
    expect(payScreen({ ...ready, paymentState: 'partial' }, false)).toBe('partial');
  });

  it.each(['paid', 'forcePaid'] as const)('[S2.12-23] shows %s as paid', (status) => {
    expect(payScreen({ ...ready, status, paymentState: 'settled' }, true)).toBe('paid');
  });

  it('shows an expired invoice with late money as expired', () => {
    expect(payScreen({ ...ready, status: 'expired', paymentState: 'late' }, true)).toBe('expired');
  });

  it('says so when the network took the payment back', () => {
    expect(payScreen({ ...ready, paymentState: 'reversed' }, true)).toBe('reversed');
  });
});

describe('isFinal', () => {
  it.each(['paid', 'forcePaid', 'expired'] as const)('[S4.5-04] [S4.5-05] stops everything once %s', (status) => {
    expect(isFinal({ status })).toBe(true);
  });

  it('goes on while pending', () => {
    expect(isFinal({ status: 'pending' })).toBe(false);
  });
});
