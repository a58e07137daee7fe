import { expect, it } from 'vitest';
import type { PaymentView } from '@/lib/api-schema/invoices';
import { receivedMoney } from './received-money';

const payment = (amountUnits: bigint, status: PaymentView['status'] = 'confirmed'): PaymentView => ({
  hash: '0x1',
  amount: '0',
  amountUnits: amountUnits.toString(),
  confirmations: 12,
  status,
  timestamp: '2026-11-27T12:00:00.000Z',
});
const CENT = 10n ** 16n;
const of = (payments: PaymentView[], amount: string | null = '0.01000000') =>
  receivedMoney({ cryptoType: 'ETH', amount, payments });

it('sums payments exactly, whole units that are not shown included', () => {
  expect(of([payment(CENT - 1n), payment(1n)])).toEqual({
    received: '0.01000000',
    over: null,
    missing: null,
    isConfirmed: true,
  });
});

it('tells what is over and what is missing', () => {
  expect(of([payment(3n * CENT)])).toMatchObject({ over: '0.02000000', missing: null });
  expect(of([payment(CENT / 4n)])).toMatchObject({ over: null, missing: '0.00750000' });
});

it('leaves out money that a reorg took off the chain', () => {
  expect(of([payment(CENT), payment(CENT, 'orphaned')])).toMatchObject({ received: '0.01000000', isConfirmed: true });
});

it('is not confirmed while one payment is not', () => {
  expect(of([payment(CENT), payment(1n, 'unconfirmed')])).toMatchObject({ isConfirmed: false });
});

it('is nothing before the coin is chosen', () => {
  expect(receivedMoney({ cryptoType: null, amount: null, payments: [] })).toBeNull();
});
