import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { BURNED_AT_LEAST } from '@/lib/shared/limits';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { adoptSeed } from './adopt-seed';

/** BIP-39 test phrase with known addresses, in its 24-word form. */
const WORDS = `${'abandon '.repeat(23)}art`;
const options = { network: 'devnet', kek: randomBytes(32), words: WORDS };
let database: TestDatabase;
let signer: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  signer = openDatabase(database.roleUrl('signer'), { max: 2, applicationName: 'signer' });
});
afterAll(async () => {
  await closeDatabase(signer);
  await database.drop();
});

const query = async (text: string) => (await database.db.pool.query(text)).rows;

test('the words of an older instance: its first addresses are taken out of use before any is given away', async () => {
  await expect(adoptSeed(signer, { ...options, words: 'abandon '.repeat(24) })).rejects.toThrow('BIP-39');
  expect(await query('SELECT 1 FROM pool_restore')).toEqual([]);
  expect(await adoptSeed(signer, options)).toBe(WORDS);
  expect(
    await query(
      `SELECT r.reason, k.purpose, b.after_index, b.through_index, is_restore_pending() AS pending
       FROM pool_burn b JOIN watch_key k ON k.id = b.watch_key_id JOIN pool_restore r ON r.id = b.restore_id ORDER BY k.purpose`,
    ),
  ).toEqual([
    { reason: 'words', purpose: 'primary', after_index: -1, through_index: BURNED_AT_LEAST / 10 - 1, pending: true },
    { reason: 'words', purpose: 'invoice', after_index: -1, through_index: BURNED_AT_LEAST - 1, pending: true },
  ]);
});

test('an instance that has its seed keeps it, and nothing more is taken out of use', async () => {
  expect(await adoptSeed(signer, options)).toBeNull();
  expect(await query('SELECT count(*)::int AS count FROM pool_restore')).toEqual([{ count: 1 }]);
});
