import { expect, test } from 'vitest';
import { StartError } from '@/starter/start-error';
import { parseControlArguments } from './parse-control-arguments';

const ADDRESS = '0x000000000000000000000000000000000000dEaD';

test('fund and mine', () => {
  expect(parseControlArguments(['fund', 'eth', ADDRESS, '1.5'])).toEqual({
    name: 'fund',
    body: { coin: 'ETH', address: ADDRESS, amount: '1.5' },
  });
  expect(parseControlArguments(['mine', 'ETH', '12'])).toEqual({ name: 'mine', body: { coin: 'ETH', blocks: 12 } });
});

test.each([
  [[], 'Usage'],
  [['drain', 'ETH'], 'Usage'],
  [['fund', 'ETH', ADDRESS], 'Usage'],
  [['fund', 'BTC', ADDRESS, '1'], 'not for "BTC"'],
  [['fund', 'ETH', ADDRESS, '0.0'], 'above 0'],
  [['fund', 'ETH', ADDRESS, '1e3'], 'decimal'],
  [['mine', 'ETH', '0'], 'blocks'],
  [['mine', 'ETH', '1001'], 'blocks'],
  [['mine', 'ETH', 'x'], 'blocks'],
])('%j is refused with one sentence', (args, message) => {
  expect(() => parseControlArguments(args)).toThrow(StartError);
  expect(() => parseControlArguments(args)).toThrow(message);
});
