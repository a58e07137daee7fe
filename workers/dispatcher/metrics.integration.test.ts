import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { forgetFailures, noteFailure } from '@/lib/invoices/due-repository';
import { systemClock } from '@/lib/shared/time';
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
  const metrics = createMetrics(dispatcher, systemClock);
  expect(await metrics.text()).toContain('\nincassa_failing_settlements 0\n');
  await noteFailure(dispatcher.pool, 7, 1);
  await noteFailure(dispatcher.pool, 7, 5);
  expect(await metrics.text()).toContain('\nincassa_failing_settlements 1\n');
  await forgetFailures(dispatcher.pool, [7]);
  expect(await metrics.text()).toContain('\nincassa_failing_settlements 0\n');
});
