import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { listen } from './listen';

let database: TestDatabase;
let stop = new AbortController();
const logger = pino({ level: 'silent' });

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => stop.abort());
afterAll(() => database.drop());

function start() {
  stop = new AbortController();
  const seen: string[] = [];
  const onNotify = (channel: string, payload: string) => seen.push(`${channel}:${payload}`);
  const done = listen(database.url, ['test_one', 'test_two'], onNotify, stop.signal, logger);
  return { seen, done };
}

const notify = (channel: string, payload: string) =>
  database.db.pool.query('SELECT pg_notify($1, $2)', [channel, payload]);

test('every connection begins with a wake-up per channel, then hands on what is notified', async () => {
  const { seen } = start();
  await vi.waitFor(() => expect(seen).toEqual(['test_one:', 'test_two:']), 10_000);
  await notify('test_two', 'x');
  await notify('test_other', 'y');
  await vi.waitFor(() => expect(seen).toEqual(['test_one:', 'test_two:', 'test_two:x']), 10_000);
});

test('a connection that the server kills is made again, and notifications flow', async () => {
  const { seen } = start();
  await vi.waitFor(() => expect(seen).toHaveLength(2), 10_000);
  await database.db.pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'incassa-listen' AND datname = current_database()`,
  );
  await vi.waitFor(() => expect(seen).toHaveLength(4), 10_000);
  await notify('test_one', 'after');
  await vi.waitFor(() => expect(seen).toContain('test_one:after'), 10_000);
});

test('an abort ends the listening and its connection', async () => {
  const { seen, done } = start();
  await vi.waitFor(() => expect(seen).toHaveLength(2), 10_000);
  stop.abort();
  await done;
  await vi.waitFor(async () => {
    const { rows } = await database.db.pool.query(
      `SELECT 1 FROM pg_stat_activity WHERE application_name = 'incassa-listen' AND datname = current_database()`,
    );
    expect(rows).toEqual([]);
  });
});
