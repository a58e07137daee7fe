import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { confirmedHeight, extraConfirmations } from '@/lib/chains/confirmation';
import type { ConfirmationRule } from '@/lib/chains/types';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { confirmationsInSql, confirmationsOf, confirmedInSql, isConfirmed, readOf } from './confirmations';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const blocks = fc.integer({ min: 1, max: 20 });
const rules: fc.Arbitrary<ConfirmationRule> = fc.oneof(
  fc.record({ kind: fc.constant('count' as const), blocks }),
  fc.record({ kind: fc.constant('finality' as const), shown: blocks }),
  fc.tuple(blocks, blocks).map(
    ([first, more]): ConfirmationRule => ({
      kind: 'amount',
      steps: [
        { fromUnits: 0n, blocks: first },
        { fromUnits: 50n, blocks: first + more },
      ],
    }),
  ),
);
const heights = fc.bigInt({ min: 0n, max: 40n });
const situations = fc.record({
  rule: rules,
  height: heights,
  finalizedHeight: fc.option(heights),
  blockHeight: fc.option(heights),
  amountUnits: fc.bigInt({ min: 1n, max: 99n }),
  maturity: fc.constantFrom(0, 6, 100),
});

/** The same question to the database, for many situations at once. */
async function askSql(
  cases: { height: bigint; confirmedHeight: bigint | null; blockHeight: bigint | null; extra: number }[],
) {
  const { rows } = await database.db.pool.query<{ isConfirmed: boolean; confirmations: bigint }>(
    `SELECT coalesce(${confirmedInSql('d', readOf('c'))}, false) AS "isConfirmed", ${confirmationsInSql('d', 'c')} AS confirmations
     FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::int[])
         WITH ORDINALITY AS f (height, confirmed_height, block_height, extra_confirmations, n)
       CROSS JOIN LATERAL (SELECT f.height, f.confirmed_height) c
       CROSS JOIN LATERAL (SELECT f.block_height, f.extra_confirmations) d ORDER BY f.n`,
    [
      cases.map(({ height }) => height),
      cases.map(({ confirmedHeight: height }) => height),
      cases.map(({ blockHeight }) => blockHeight),
      cases.map(({ extra }) => extra),
    ],
  );
  return rows.map((row) => ({ isConfirmed: row.isConfirmed, confirmations: Number(row.confirmations) }));
}

test('the database and the pure rule agree on every deposit: whether it counts, and its confirmations', async () => {
  const cases = fc.sample(situations, { numRuns: 3_000, seed: 20261128 }).map((drawn) => {
    const { rule, height, blockHeight } = drawn;
    // Nothing is final further than it was read.
    const isRead = drawn.finalizedHeight !== null && drawn.finalizedHeight <= height;
    return {
      height,
      blockHeight,
      confirmedHeight: confirmedHeight(rule, { height, finalizedHeight: isRead ? drawn.finalizedHeight : null }),
      extra: extraConfirmations(rule, drawn),
    };
  });
  const pure = cases.map(({ blockHeight, extra, ...chain }) => {
    const deposit = { blockHeight, orphaned: false, extraConfirmations: extra };
    return { isConfirmed: isConfirmed(deposit, chain), confirmations: confirmationsOf(deposit, chain) };
  });
  const inSql = await askSql(cases);
  const differing = cases.flatMap((one, index) => {
    const both = { pure: pure[index], inSql: inSql[index] };
    return isDeepStrictEqual(both.pure, both.inSql) ? [] : [{ ...one, ...both }];
  });
  expect(differing.slice(0, 3)).toEqual([]);
  expect(pure.filter((answer) => answer.isConfirmed).length).toBeGreaterThan(300);
});

test('an orphaned deposit never counts, however deep its block was', () => {
  const orphan = { blockHeight: 1n, orphaned: true, extraConfirmations: 0 };
  expect(isConfirmed(orphan, { height: 1_000n, confirmedHeight: 1_000n })).toBe(false);
});
