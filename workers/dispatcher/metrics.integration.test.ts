import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { forgetFailures, noteFailure } from '@/lib/invoices/due-repository';
import { systemClock } from '@/lib/shared/time';
import { makeCursor, makeInvoice, makeUser } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { createMetrics } from './metrics';

let database: TestDatabase;
let dispatcher: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  dispatcher = openDatabase(database.roleUrl('dispatcher'), { max: 1, applicationName: 'test-metrics' });
});
afterAll(async () => {
  await closeDatabase(dispatcher);
  await database.drop();
});

test('an invoice that cannot be settled shows as long as it cannot', async () => {
  const { pool } = database.db;
  await makeCursor(pool);
  const { id } = await makeInvoice(pool, { userId: (await makeUser(pool)).id });
  const metrics = createMetrics(dispatcher, systemClock);
  expect(await metrics.text()).toContain('\nincassa_failing_settlements 0\n');
  await noteFailure(dispatcher.pool, id, 1);
  await noteFailure(dispatcher.pool, id, 5);
  expect(await metrics.text()).toContain('\nincassa_failing_settlements 1\n');
  await forgetFailures(dispatcher.pool, [id]);
  expect(await metrics.text()).toContain('\nincassa_failing_settlements 0\n');
});
