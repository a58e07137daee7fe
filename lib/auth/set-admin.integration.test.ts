import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDatabase, openDatabase } from '@/lib/db/database';
import { makeUser } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { setAdmin } from './set-admin';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

it('grants and revokes the rights of a registered person, and says when there is none', async () => {
  const { email } = await makeUser(test.db.pool);
  const isAdmin = async () =>
    (await test.db.pool.query('SELECT is_admin FROM user_account WHERE email = $1', [email])).rows[0]?.is_admin;
  expect(await setAdmin(test.db, ` ${email.toUpperCase()} `, true)).toBe(true);
  expect(await isAdmin()).toBe(true);
  expect(await setAdmin(test.db, email, false)).toBe(true);
  expect(await isAdmin()).toBe(false);
  expect(await setAdmin(test.db, 'nessuno@example.com', true)).toBe(false);
});

it('is beyond the web process: nobody becomes an admin through it', async () => {
  const web = openDatabase(test.roleUrl('web'), { max: 1, applicationName: 'web' });
  const { email } = await makeUser(test.db.pool);
  await expect(setAdmin(web, email, true)).rejects.toThrow('permission denied');
  await closeDatabase(web);
});
