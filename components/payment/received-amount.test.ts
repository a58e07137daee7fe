import { expect, test } from 'vitest';
import { receivedAmount } from './received-amount';

const wallet = (balance: string) => ({ uuid: 'u', address: '0x1', balance, cryptoType: 'ETH' as const });

test.each([
  ['paid', '0.01000000', '0.01500000', '0.01000000'],
  ['forcePaid', '0.00000000', '0.00400000', '0.00400000'],
  ['forcePaid', '0.00300000', '0.00300000', '0.00300000'],
  ['forcePaid', '0.00300000', '0.00000000', '0.00300000'],
  ['forcePaid', '0.00000000', '0.00000000', null],
] as const)('%s with %s in time and %s on its wallet received %s', (status, amountPaid, balance, received) => {
  expect(receivedAmount({ status, amountPaid, wallet: wallet(balance) })).toBe(received);
});
