import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordApiKeyUse } from '@/lib/api-keys/key-uses';
import { closeDatabase, openDatabase } from '@/lib/db/database';
import { prismaOf } from '@/lib/db/prisma';
import { createLogger } from '@/lib/logging/logger';
import { stubWebEnvironment } from '@/testing/stub-web-environment';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { openStreams } from './open-streams';
import { stopWeb } from './stop-web';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  stubWebEnvironment(database.roleUrl('web'));
});
afterAll(() => database.drop());

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function openWebDatabase() {
  return openDatabase(database.roleUrl('web'), { max: 4, applicationName: 'stop-web-test' });
}

it('ends event streams, finishes the request that is running, writes the counted uses and lets go of the database', async () => {
  const user = await prismaOf(database.db).user.create({ data: { name: 'a', email: 'a@b.it', passwordHash: 'x' } });
  const bytes = new Uint8Array(1);
  const key = await prismaOf(database.db).apiKey.create({
    data: { userId: user.id, name: 'a', keyHash: '0'.repeat(64), keyMask: 'a', keySealed: bytes, secretSealed: bytes },
  });
  let running: ServerResponse | undefined;
  const server = createServer((request, response) => {
    if (request.url === '/events') {
      response.write('data: 1\n\n');
      openStreams()
        .take({ address: '203.0.113.9', invoice: 'a' })
        .begin(() => response.end());
    } else running = response;
  });
  const url = await listen(server);
  const stream = await fetch(`${url}/events`);
  const slow = fetch(`${url}/slow`);
  await expect.poll(() => running).toBeDefined();

  const db = openWebDatabase();
  recordApiKeyUse(key.id, new Date());
  const startedAt = performance.now();
  const stopped = stopWeb({ servers: new Set([server]), db, logger: createLogger('test') });
  expect(await stream.text()).toBe('data: 1\n\n');
  running?.end('done');
  expect(await (await slow).text()).toBe('done');
  await stopped;
  expect(performance.now() - startedAt).toBeLessThan(3_000);
  expect(db.pool.ended).toBe(true);
  expect(await prismaOf(database.db).apiKey.findUnique({ where: { id: key.id } })).toMatchObject({ usageCount: 1 });
});

it('does not wait for ever for a request that never ends', async () => {
  const server = createServer(() => undefined);
  const url = await listen(server);
  const hanging = fetch(url).catch(() => null);
  await expect.poll(() => new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))).toBe(1);
  const db = openWebDatabase();
  const startedAt = performance.now();
  await stopWeb({ servers: new Set([server]), db, logger: createLogger('test') });
  expect(performance.now() - startedAt).toBeLessThan(4_500);
  server.closeAllConnections();
  await Promise.all([hanging, closeDatabase(db)]);
});
