import { expect, test } from 'vitest';
import type { Database } from '@/lib/db/database';
import { flushApiKeyUses, recordApiKeyUse } from './key-uses';

const early = new Date('2026-11-28T12:00:00Z');
const late = new Date('2026-11-28T12:00:05Z');

/** A database that answers a statement so. */
const databaseOf = (query: (request: { values: unknown[] }) => Promise<unknown>) =>
  ({ pool: { query } }) as unknown as Database;

test('uses that could not be written stay counted, together with those that came meanwhile', async () => {
  recordApiKeyUse(7, early);
  recordApiKeyUse(7, early);
  recordApiKeyUse(8, early);
  const down = databaseOf(async () => {
    recordApiKeyUse(7, late);
    throw new Error('down');
  });
  await expect(flushApiKeyUses(down)).rejects.toThrow('down');

  const written: unknown[][] = [];
  const up = databaseOf(async ({ values }) => written.push(values));
  await flushApiKeyUses(up);
  await flushApiKeyUses(up);
  expect(written).toEqual([
    [
      [7, 8],
      [3, 1],
      [late, early],
    ],
  ]);
});
