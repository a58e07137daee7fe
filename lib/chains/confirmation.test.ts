import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { confirmedHeight, extraConfirmations, shownConfirmations } from './confirmation';
import type { ConfirmationRule } from './types';

const byCount: ConfirmationRule = { kind: 'count', blocks: 12 };
const byFinality: ConfirmationRule = { kind: 'finality', shown: 3 };
const byAmount: ConfirmationRule = {
  kind: 'amount',
  steps: [
    { fromUnits: 0n, blocks: 2 },
    { fromUnits: 100n, blocks: 6 },
    { fromUnits: 1_000n, blocks: 12 },
  ],
};

const extra = (rule: ConfirmationRule, amountUnits: bigint, maturity = 0) =>
  extraConfirmations(rule, { amountUnits, maturity });

describe('by count', () => {
  test('a block counts when it is so many deep, itself included, and none does on a chain that is shorter', () => {
    expect(confirmedHeight(byCount, { height: 111n, finalizedHeight: null })).toBe(100n);
    expect(confirmedHeight(byCount, { height: 11n, finalizedHeight: null })).toBe(0n);
    expect(confirmedHeight(byCount, { height: 10n, finalizedHeight: null })).toBeNull();
  });

  test('finality of the node moves nothing', () => {
    expect(confirmedHeight(byCount, { height: 111n, finalizedHeight: 111n })).toBe(100n);
    expect(confirmedHeight(byCount, { height: 111n, finalizedHeight: 1n })).toBe(100n);
  });
});

describe('by finality', () => {
  test('exactly what is final counts, and nothing while the node does not tell', () => {
    expect(confirmedHeight(byFinality, { height: 111n, finalizedHeight: 90n })).toBe(90n);
    expect(confirmedHeight(byFinality, { height: 111n, finalizedHeight: 0n })).toBe(0n);
    expect(confirmedHeight(byFinality, { height: 111n, finalizedHeight: null })).toBeNull();
  });

  test('people are told about how long, which decides nothing', () => {
    expect(shownConfirmations(byFinality)).toBe(3);
    expect(extra(byFinality, 10n ** 30n)).toBe(0);
  });
});

describe('by amount', () => {
  test('the smallest step is what every deposit needs', () => {
    expect(shownConfirmations(byAmount)).toBe(2);
    expect(confirmedHeight(byAmount, { height: 111n, finalizedHeight: null })).toBe(110n);
  });

  test('an amount needs the blocks of the last step that it reaches, from its first unit on', () => {
    expect([0n, 99n, 100n, 999n, 1_000n, 10n ** 30n].map((units) => extra(byAmount, units))).toEqual([
      0, 0, 6, 6, 12, 12,
    ]);
  });

  test('more money never waits for less', () => {
    const units = fc.bigInt({ min: 0n, max: 2_000n });
    fc.assert(
      fc.property(units, units, (a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        expect(extra(byAmount, more)).toBeGreaterThanOrEqual(extra(byAmount, less));
      }),
    );
  });
});

test('a rule by amount that has no steps asks for one block, and for nothing more', () => {
  const rule: ConfirmationRule = { kind: 'amount', steps: [] };
  expect(shownConfirmations(rule)).toBe(1);
  expect(extra(rule, 10n ** 30n)).toBe(0);
});

test('money that cannot be spent before waits for that, under every rule, and for the amount too when that is longer', () => {
  for (const rule of [byCount, byFinality, byAmount]) expect(extra(rule, 1n, 100)).toBe(100);
  expect(extra(byAmount, 1_000n, 5)).toBe(12);
});
