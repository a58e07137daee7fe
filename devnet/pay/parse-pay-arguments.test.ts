import { expect, test } from 'vitest';
import { StartError } from '@/starter/start-error';
import { parsePayArguments } from './parse-pay-arguments';

const UUID = '0b9c3e64-6f0e-4d0c-9d5e-2f6a7b1c8d90';

test('takes a pay URL or a bare uuid', () => {
  const expected = { uuid: UUID, amount: undefined, coin: 'ETH', times: 1 };
  expect(parsePayArguments([UUID.toUpperCase()])).toEqual(expected);
  expect(parsePayArguments([`http://localhost:3000/pay/${UUID}?lang=it`])).toEqual(expected);
});

test('takes the amount as it is written, a coin and a number of payments', () => {
  const args = parsePayArguments([UUID, '--amount', '0.005', '--coin', 'eth', '--times', '3']);
  expect(args).toEqual({ uuid: UUID, amount: '0.005', coin: 'ETH', times: 3 });
});

test.each([
  [[], 'Usage'],
  [[UUID, UUID], 'Usage'],
  [['pay/123'], 'holds no invoice uuid'],
  [[UUID, '--amount', '1e3'], '--amount'],
  [[UUID, '--amount', '-1'], 'amount'],
  [[UUID, '--amount', '0,5'], '--amount'],
  [[UUID, '--coin', 'BTC'], '--coin'],
  [[UUID, '--times', '0'], '--times'],
  [[UUID, '--times', '1.5'], '--times'],
  [[UUID, '--tip'], '--tip'],
])('%j is refused with one sentence', (args, message) => {
  expect(() => parsePayArguments(args)).toThrow(StartError);
  expect(() => parsePayArguments(args)).toThrow(message);
});
