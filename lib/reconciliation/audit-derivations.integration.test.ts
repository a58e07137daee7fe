import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { emptyTables } from '@/testing/empty-tables';
import { makeCursor, makePool, makeUser } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { auditDerivations } from './audit-derivations';

const signal = new AbortController().signal;

let database: TestDatabase;
let owner: Database;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = database.db;
  db = openDatabase(database.roleUrl('dispatcher'), { max: 2, applicationName: 'test-derivations' });
});
beforeEach(async () => {
  await emptyTables(owner.pool);
  await makeCursor(owner.pool);
  await makePool(owner.pool, { count: 12 });
});
afterAll(async () => {
  await closeDatabase(db);
  await database.drop();
});

const audit = (afterId = 0n, limit: number | null = null) => auditDerivations(db, { afterId, limit, signal });

test('addresses that their published key gives are all that is found, in rounds or at once', async () => {
  const whole = await audit();
  expect(whole).toMatchObject({ addressCount: 12, findings: { count: 0 } });
  const first = await audit(0n, 7);
  expect(first).toMatchObject({ addressCount: 7 });
  expect(await audit(first.upToId, 7)).toMatchObject({ addressCount: 5, upToId: whole.upToId });
});

test('a planted address of an invoice is named with its invoice, and so is one that nobody has yet', async () => {
  const { id } = await makeUser(owner.pool);
  const { rows } = await owner.pool.query(`SELECT address FROM claim_wallet($1, 'ETH', 'invoice')`, [id]);
  const planted = `0x${'e'.repeat(40)}`;
  await owner.pool.query('UPDATE pool_address SET address = $1 WHERE address = $2', [planted, rows[0]?.address]);
  await owner.pool.query(`UPDATE pool_address SET address = $1 WHERE id = (SELECT max(id) FROM pool_address)`, [
    `0x${'f'.repeat(40)}`,
  ]);
  const { findings } = await audit();
  expect(findings.listed).toMatchObject([
    { kind: 'derivation', subject: expect.stringContaining(`${planted} of wallet`), expected: rows[0]?.address },
    { kind: 'derivation', subject: expect.stringContaining('of nobody') },
  ]);
});

test('another key in place of the published one: no address agrees any more', async () => {
  await makePool(owner.pool, { count: 0, purpose: 'primary' });
  await owner.pool.query(
    `UPDATE watch_key SET public_key = (SELECT public_key FROM watch_key WHERE purpose = 'primary') WHERE purpose = 'invoice'`,
  );
  expect((await audit()).findings.count).toBe(12);
});

test('a published key that cannot be read is a difference, not an end of the audit', async () => {
  await owner.pool.query(`UPDATE watch_key SET public_key = 'xpub-evil'`);
  expect((await audit()).findings.count).toBe(12);
});
