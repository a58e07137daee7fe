import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLES, type Role } from '@/lib/config/roles';
import { makeUser } from './factories';
import { createTestDatabase, type TestDatabase } from './test-database';

describe('the functions of the database', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
    // A copy of the template has Postgres' own rights again: the functions must stand alone.
    await test.db.pool.query(
      `DO $$ BEGIN EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO PUBLIC', current_database()); END $$`,
    );
  });
  afterAll(() => test.drop());

  /** Runs statements under a process's login. @returns what Postgres said to the last of them, or null */
  async function objection(role: Role, statements: readonly string[]): Promise<string | null> {
    const client = new pg.Client({ connectionString: test.roleUrl(role) });
    await client.connect();
    try {
      for (const text of statements) await client.query(text);
      return null;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      await client.end();
    }
  }

  it.each([
    ['web', 'deposit 1 is not unattributed'],
    ['watcher', 'deposit 1 is not unattributed'],
    ['dispatcher', 'permission denied for function attach_deposit'],
    ['signer', 'permission denied for table deposit'],
  ] as const)(
    'do not touch temporary tables: %s cannot make itself the owner through attach_deposit',
    async (role, refusal) => {
      const { id } = await makeUser(test.db.pool);
      const answer = await objection(role, [
        'CREATE TEMP TABLE deposit (LIKE public.deposit)',
        `INSERT INTO deposit (id, coin, chain, transfer_key, epoch, tx_hash, pool_address_id, amount_units, seen_at, kind,
           extra_confirmations, bookings)
         VALUES (1, 'ETH', 'ethereum', 'k', 0, 'k', 1, 1, now(), 'payment', 0, 0)`,
        'CREATE TEMP TABLE wallet (LIKE public.wallet)',
        `INSERT INTO wallet (id, uuid, user_id, coin, type, address, pool_address_id, created_at)
         VALUES (1, gen_random_uuid(), ${id}, 'ETH', 'primary', '0x1', 1, now())`,
        `CREATE FUNCTION pg_temp.stolen() RETURNS trigger LANGUAGE plpgsql AS $f$
         BEGIN UPDATE public.user_account SET is_admin = true; RETURN NEW; END $f$`,
        'CREATE TRIGGER stolen BEFORE UPDATE ON deposit FOR EACH ROW EXECUTE FUNCTION pg_temp.stolen()',
        'GRANT ALL ON deposit, wallet TO PUBLIC',
        `SELECT attach_deposit(1, 1, 'web', NULL)`,
      ]);
      expect(answer).toBe(refusal);
      const { rows } = await test.db.pool.query('SELECT 1 FROM user_account WHERE is_admin');
      expect(rows).toEqual([]);
    },
  );

  it.each(ROLES)('of triggers cannot be hung on a table of one’s own: %s adds to no balance', async (role) => {
    const answer = await objection(role, [
      'CREATE TEMP TABLE mint (account_id bigint, amount_units numeric)',
      `CREATE TRIGGER mint AFTER INSERT ON mint REFERENCING NEW TABLE AS new_postings
       FOR EACH STATEMENT EXECUTE FUNCTION public.apply_postings()`,
    ]);
    expect(answer).toBe('permission denied for function public.apply_postings');
  });
});
