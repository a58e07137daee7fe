import pg from 'pg';
import { expect, test } from 'vitest';
import { prismaOf } from '@/lib/db/prisma';
import { createTestDatabase } from './test-database';

test('each call gives a migrated database of its own, and drop removes it with whoever is connected', async () => {
  const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  try {
    const insert = `INSERT INTO user_account (name, email, password_hash) VALUES ('a', 'a@b.it', 'x')`;
    await first.db.pool.query(insert);
    const { rows } = await second.db.pool.query('SELECT count(*)::int AS users FROM user_account');
    expect(rows).toEqual([{ users: 0 }]);
    expect(await prismaOf(first.db).user.count()).toBe(1);
  } finally {
    await Promise.all([first.drop(), second.drop()]);
  }
  await expect(new pg.Client({ connectionString: first.url }).connect()).rejects.toThrow('does not exist');
});

test('every process can log in with its own role', async () => {
  const database = await createTestDatabase();
  try {
    for (const role of ['web', 'watcher', 'dispatcher', 'signer'] as const) {
      const client = new pg.Client({ connectionString: database.roleUrl(role) });
      await client.connect();
      const { rows } = await client.query('SELECT current_user AS role').finally(() => client.end());
      expect(rows).toEqual([{ role: `incassa_${role}` }]);
    }
  } finally {
    await database.drop();
  }
});
