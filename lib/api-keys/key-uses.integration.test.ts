import { expect, test } from 'vitest';
import { closeDatabase, openDatabase } from '@/lib/db/database';
import { makeApiKey, makeUser } from '@/testing/factories';
import { createTestDatabase } from '@/testing/test-database';
import { addKeyUses } from './repository';

test('uses of keys wait for no event whose deliveries are being stored, and so never end in a deadlock with it', async () => {
  const database = await createTestDatabase();
  const web = openDatabase(database.roleUrl('web'), {
    max: 1,
    applicationName: 'uses',
  });
  const storing = await database.db.pool.connect();
  try {
    const { id: userId } = await makeUser(database.db.pool);
    const { id } = await makeApiKey(database.db.pool, { userId });
    // What a foreign key locks while a delivery or an invoice of the key is being stored.
    await storing.query('BEGIN');
    await storing.query('SELECT 1 FROM api_key WHERE id = $1 FOR KEY SHARE', [id]);
    expect(await addKeyUses.count(web.pool, { ids: [id], counts: [3], lastUsedAts: [new Date()] })).toBe(1);
    await storing.query('ROLLBACK');
    const { rows } = await database.db.pool.query('SELECT usage_count FROM api_key');
    expect(rows).toEqual([{ usage_count: 3 }]);
  } finally {
    storing.release(true);
    await closeDatabase(web);
    await database.drop();
  }
}, 30_000);
