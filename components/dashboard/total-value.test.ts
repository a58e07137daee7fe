import { describe, expect, test } from 'vitest';
import type { WalletView } from '@/lib/api-schema/wallets';
import type { Coin } from '@/lib/shared/coins';
import { totalValue } from './total-value';

function wallet(cryptoType: Coin, balanceEuro: number | null): WalletView {
  return {
    id: 1,
    uuid: `uuid-${cryptoType}`,
    cryptoType,
    type: 'primary',
    address: 'x',
    tag: null,
    balance: '0.00000000',
    balanceUnits: '0',
    unconfirmedBalance: '0.00000000',
    pendingTransfer: '0.00000000',
    balanceEuro,
    createdAt: '2026-11-27T10:00:00.000Z',
  };
}

describe('totalValue', () => {
  test('[S2.5-04] adds euros exactly, without float drift', () => {
    const wallets = [wallet('ETH', 0.1), wallet('TON', 0.2), wallet('TRX', 0.7)];
    expect(totalValue(wallets).euro).toBe('1.00');
  });

  test('a wallet without a rate is left out; none with a rate is no total at all', () => {
    expect(totalValue([wallet('ETH', 12.5), wallet('TON', null)]).euro).toBe('12.50');
    expect(totalValue([wallet('TON', null)]).euro).toBeNull();
    expect(totalValue([]).euro).toBe('0.00');
  });

  test('shares are ordered by worth and leave empty wallets out', () => {
    const { shares } = totalValue([wallet('ETH', 25), wallet('TRX', 0), wallet('TON', 75)]);
    expect(shares.map(({ wallet: { cryptoType }, percent }) => [cryptoType, percent])).toEqual([
      ['TON', 75],
      ['ETH', 25],
    ]);
  });
});
