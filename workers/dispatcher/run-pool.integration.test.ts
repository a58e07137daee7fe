import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { PoolWitness } from '@/lib/wallets/pool-witness';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { Waker } from '@/workers/runtime/waker';
import { runPool } from './run-pool';

const folder = mkdtempSync(join(tmpdir(), 'incassa-run-pool-'));
const path = join(folder, 'pool-witness.json');
let database: TestDatabase;
let dispatcher: Database;

beforeAll(async () => {
  vi.stubEnv('POOL_WITNESS_FILE', path);
  database = await createTestDatabase();
  dispatcher = openDatabase(database.roleUrl('dispatcher'), { max: 2, applicationName: 'dispatcher' });
});
afterAll(async () => {
  await closeDatabase(dispatcher);
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
  vi.unstubAllEnvs();
});

const restores = async () =>
  (await database.db.pool.query('SELECT reason, finished_at IS NOT NULL AS done FROM pool_restore')).rows;

/** Runs the loop while `work` runs, woken again and again. */
async function whileItRuns(work: (lines: string[], waker: Waker) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const waker = new Waker();
  const lines: string[] = [];
  const logger = pino({}, { write: (line: string) => lines.push(JSON.parse(line).msg) });
  const running = runPool(dispatcher, { signal: stop.signal, logger, clock: () => new Date() }, waker);
  await work(lines, waker).finally(() => stop.abort());
  await running;
}

test('a witness that knows more than the database is heard once: the pool is made safe, and the witness goes on from there', async () => {
  await whileItRuns(async () => {
    await vi.waitFor(async () => expect(await new PoolWitness(path).testify(0)).toBeNull(), 10_000);
    await vi.waitFor(() => expect(restores()).resolves.toEqual([]), 10_000);
    await vi.waitFor(
      async () =>
        expect((await database.db.pool.query('SELECT location FROM pool_home')).rows[0].location).not.toBeNull(),
      10_000,
    );
  });
  await new PoolWitness(path).note(5);
  await whileItRuns(async (lines, waker) => {
    await vi.waitFor(async () => expect(await restores()).toEqual([{ reason: 'witness', done: true }]), 10_000);
    await vi.waitFor(async () => expect(await new PoolWitness(path).testify(0)).toBeNull(), 10_000);
    waker.wake();
    await vi.waitFor(
      () =>
        expect(lines).toEqual([
          'the database was restored: addresses that it may have forgotten are taken out of use',
          'restore done: the pool is filled again above what was burned',
        ]),
      10_000,
    );
  });
  await whileItRuns(async (_, waker) => {
    const scans = async () => (await database.db.pool.query('SELECT is_restore_pending() AS pending')).rows;
    waker.wake();
    expect(await scans()).toEqual([{ pending: false }]);
  });
  expect(await restores()).toHaveLength(1);
});

test('a witness that cannot be written is said, and keeps no address back', async () => {
  rmSync(folder, { recursive: true, force: true });
  await whileItRuns(async (lines) => {
    await vi.waitFor(
      () => expect(lines).toEqual([expect.stringContaining('POOL_WITNESS_FILE cannot be written')]),
      10_000,
    );
  });
  expect(await restores()).toHaveLength(1);
});
