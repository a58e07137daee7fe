import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { closeDatabase, type Database, openDatabase } from './database';
import { isDatabaseDown } from './database-down';
import { prismaOf } from './prisma';
import { snapshot } from './snapshot';
import { transaction } from './transaction';

const PATIENCE = { lockMs: 300, statementMs: 500, answerMs: 1_000 };

let database: TestDatabase;
let line: Server;
let db: Database;
const sockets = new Set<Socket>();

/** A line to the server that can fall silent: both ends stay connected. */
beforeAll(async () => {
  database = await createTestDatabase();
  const { hostname, port } = new URL(database.url);
  line = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => sockets.delete(from));
    }
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
});
afterEach(() => closeDatabase(db));
afterAll(async () => {
  line.close();
  await database.drop();
});

function open(): Database {
  const url = Object.assign(new URL(database.url), { port: String((line.address() as AddressInfo).port) }).href;
  db = openDatabase(url, { max: 2, applicationName: 'patience', patience: PATIENCE });
  return db;
}

function fallSilent(): void {
  for (const socket of sockets) {
    socket.unpipe();
    socket.pause();
  }
}

async function failure(act: () => Promise<unknown>): Promise<{ error: unknown; tookMs: number }> {
  const begunAt = performance.now();
  const error = await act().then(
    () => expect.fail('it did not fail'),
    (thrown: unknown) => thrown,
  );
  return { error, tookMs: performance.now() - begunAt };
}

test('a statement that takes too long is ended by the server, and counts as a database that is down', async () => {
  const { error, tookMs } = await failure(() => open().pool.query('SELECT pg_sleep(20)'));
  expect(error).toMatchObject({ code: '57014' });
  expect(isDatabaseDown(error)).toBe(true);
  expect(tookMs).toBeLessThan(5_000);
});

test('a snapshot may take its time, on either side', async () => {
  const slept = await snapshot(open(), new AbortController().signal, async (sql) => {
    const { rowCount } = await sql.query('SELECT pg_sleep(1.5)');
    return rowCount;
  });
  expect(slept).toBe(1);
});

test('a transaction whose server falls silent fails once, not again in its rollback, and its connection is used no more', async () => {
  const { error, tookMs } = await failure(() =>
    transaction(open(), async (sql) => {
      fallSilent();
      await sql.query('SELECT 1');
    }),
  );
  expect(isDatabaseDown(error)).toBe(true);
  expect(tookMs).toBeLessThan(PATIENCE.answerMs * 1.9);
  expect(db.pool.totalCount).toBe(0);
  expect(await db.pool.query('SELECT 1 AS n').then(({ rows }) => rows)).toEqual([{ n: 1 }]);
});

test("Prisma's client says it in words of its own, which are understood", async () => {
  const client = prismaOf(open());
  expect(await client.user.count()).toBe(0);
  fallSilent();
  const silent = await failure(() => client.user.count());
  expect(isDatabaseDown(silent.error)).toBe(true);
  const nowhere = openDatabase('postgresql://nobody@127.0.0.1:1/none', { max: 1, applicationName: 'patience' });
  const refused = await failure(() => prismaOf(nowhere).user.count());
  expect(isDatabaseDown(refused.error)).toBe(true);
  await closeDatabase(nowhere);
});

test('what the database answers to a wrong question is no sign of its being down', async () => {
  for (const text of ['SELECT nothing', "SELECT 'x'::int", 'SELECT 1/0', 'INSERT INTO coin_rate DEFAULT VALUES']) {
    const { error } = await failure(() =>
      open()
        .pool.query(text)
        .finally(() => closeDatabase(db)),
    );
    expect([text, isDatabaseDown(error)]).toEqual([text, false]);
  }
  expect([null, 'ECONNREFUSED', new Error('Something else'), {}].map((each) => isDatabaseDown(each))).not.toContain(
    true,
  );
});
