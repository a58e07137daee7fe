import { expect, it } from 'vitest';
import { amountOver } from './amount-over';

it('is what came in beyond the amount due, exactly', () => {
  expect(amountOver('0.50045697', '0.40036558')).toBe('0.10009139');
  expect(amountOver('123456789.00000001', '123456789.00000000')).toBe('0.00000001');
});

it.each([
  ['0.40036558', '0.40036558'],
  ['0.10000000', '0.40036558'],
  ['0.10000000', null],
])('is nothing for %s of %s', (received, due) => {
  expect(amountOver(received, due)).toBeNull();
});
