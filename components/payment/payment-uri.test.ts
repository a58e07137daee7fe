import { describe, expect, it } from 'vitest';
import { paymentUri } from './payment-uri';

describe('paymentUri', () => {
  it('counts ETH in wei, TON in nanotons and LTC in whole coins', () => {
    expect(paymentUri('ETH', '0xAb', '0.04762058')).toBe('ethereum:0xAb?value=47620580000000000');
    expect(paymentUri('TON', 'UQ-_1', '47.59615385')).toBe('ton://transfer/UQ-_1?amount=47596153850');
    expect(paymentUri('LTC', 'ltc1q', '1.54045644')).toBe('litecoin:ltc1q?amount=1.54045644');
  });

  it('has no form that wallets of BNB and TRX read safely', () => {
    expect(paymentUri('BNB', '0xAb', '1.00000000')).toBeNull();
    expect(paymentUri('TRX', 'T1', '1.00000000')).toBeNull();
  });
});
