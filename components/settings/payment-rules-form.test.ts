import { expect, it } from 'vitest';
import { PaymentRulesForm, paymentRulesValues } from './payment-rules-form';

const read = (tolerancePercent: string) => PaymentRulesForm.safeParse({ tolerancePercent, latePolicy: 'review' });

it.each([
  ['0', 0],
  ['0,5', 0.5],
  ['0.5', 0.5],
  [',5', 0.5],
  ['1,', 1],
  [' 2,25 % ', 2.25],
  ['10', 10],
  ['10,00', 10],
])('reads %j as %d percent', (text, percent) => {
  expect(read(text).data).toEqual({ tolerancePercent: percent, latePolicy: 'review' });
});

it.each(['', ' ', '%', ',', '-1', '1e1', '0x1', '10,01', '11', '0,125', '1.000,5', '1,5,5', 'mezzo'])(
  'refuses %j with the sentence of the contract',
  (text) => {
    expect(read(text).error?.issues).toMatchObject([
      {
        path: ['tolerancePercent'],
        message: 'La tolleranza va da 0 a 10 per cento, con al massimo 2 decimali.',
      },
    ]);
  },
);

it('shows what it reads', () => {
  for (const tolerancePercent of [0, 0.5, 2.25, 10]) {
    const values = paymentRulesValues({ tolerancePercent, latePolicy: 'accept' });
    expect(PaymentRulesForm.parse(values)).toEqual({ tolerancePercent, latePolicy: 'accept' });
  }
  expect(paymentRulesValues({ tolerancePercent: 0.5, latePolicy: 'review' }).tolerancePercent).toBe('0,5');
});
