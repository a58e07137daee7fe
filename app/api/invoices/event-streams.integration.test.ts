import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/db/channels';
import { webDatabase } from '@/lib/db/web-database';
import { openStreams } from '@/lib/http/open-streams';
import { PEER_HEADER } from '@/lib/http/watch-requests';
import { STREAM_CAPS } from '@/lib/shared/limits';
import { MESSAGES } from '@/lib/shared/messages';
import { callRoute } from '@/testing/call-route';
import { makeCursor, makeInvoice, makeUser } from '@/testing/factories';
import { stubWebEnvironment } from '@/testing/stub-web-environment';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { GET, HEAD } from './public/[id]/events/route';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  stubWebEnvironment(database.roleUrl('web'));
  await makeCursor(database.db.pool);
});
afterAll(() => database.drop());
afterEach(() => openStreams().closeAll());

async function newInvoice(): Promise<string> {
  const { pool } = database.db;
  return (await makeInvoice(pool, { userId: (await makeUser(pool)).id })).uuid;
}

/** Calls the stream's handler as Next does; nobody reads what it answers yet. */
async function open(uuid: string, { peer = '203.0.113.9', method = 'GET' } = {}) {
  const caller = new AbortController();
  const url = `http://localhost:3000/api/invoices/public/${uuid}/events`;
  const request = new Request(url, { method, headers: { [PEER_HEADER]: peer }, signal: caller.signal });
  const handler = method === 'HEAD' ? HEAD : GET;
  const response = await handler(request, { params: Promise.resolve({ id: uuid }) });
  // Keeps the request until then: nobody hears the caller of one that was collected before its answer was read. The place of
  // such an answer goes to a later caller.
  const leave = () => {
    caller.abort();
    return request.signal.aborted;
  };
  return { response, caller, leave };
}

async function read(stream: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const { value } = await stream.read();
  return new TextDecoder().decode(value);
}

/** Connections that wait for notifications of this test's database. */
async function listening(): Promise<number> {
  const rows = await database.asSuperuser(
    `SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'incassa-listen' AND query LIKE 'LISTEN%'`,
  );
  return Number(rows[0]?.count ?? 0);
}

describe('GET /api/invoices/public/{uuid}/events', () => {
  // Before any other: a connection that was opened lingers.
  it('opens nothing for an answer that nobody reads, nor for HEAD', async () => {
    const uuid = await newInvoice();
    const { leave } = await open(uuid);
    const head = await open(uuid, { method: 'HEAD' });
    expect([head.response.status, head.response.headers.get('allow')]).toEqual([405, 'GET, OPTIONS']);
    expect(await listening()).toBe(0);
    expect(openStreams().size).toBe(1);
    leave();
    expect(openStreams().size).toBe(0);
  });

  it('reads a changed invoice once for all who look at it, however the link spells its uuid', async () => {
    const [lone, shared] = [await newInvoice(), await newInvoice()];
    const reader = async (uuid: string) => (await open(uuid)).response.body?.getReader() ?? expect.fail('no body');
    const first = await reader(lone);
    expect(await read(first)).toMatch(/^event: invoice\ndata: \{/);
    // Whoever is there when the connection comes up is told once more.
    await read(first);
    expect(await listening()).toBe(1);
    const spellings = Array.from({ length: 10 }, (_, at) => (at % 2 ? shared.toUpperCase() : shared));
    const others = await Promise.all(spellings.map(reader));
    for (const stream of others) expect(await read(stream)).toContain(`"uuid":"${shared}"`);

    const queries = vi.spyOn(webDatabase().pool, 'query');
    const change = async (uuid: string, streams: ReadableStreamDefaultReader<Uint8Array>[]) => {
      queries.mockClear();
      const news = Promise.all(streams.map(read));
      await notify(database.db, [{ channel: 'invoice', payload: uuid }]);
      return { news: new Set(await news), queries: queries.mock.calls.length };
    };
    const forOne = await change(lone, [first]);
    const forAll = await change(shared, others);
    queries.mockRestore();
    expect(forOne.queries).toBeGreaterThan(0);
    expect(forAll.queries).toBe(forOne.queries);
    expect(forAll.news.size, 'the same news for all').toBe(1);
    expect(await listening()).toBe(1);
  });

  it('refuses more streams of one invoice or one address than it may have: 429 in Italian, with a time', async () => {
    const uuid = await newInvoice();
    const ofOne = await Promise.all(
      Array.from({ length: STREAM_CAPS.perInvoice + 5 }, (_, at) => open(uuid, { peer: `203.0.113.${at}` })),
    );
    expect(ofOne.filter(({ response }) => response.status === 200)).toHaveLength(STREAM_CAPS.perInvoice);
    const refused = await callRoute(GET, { params: { id: uuid } });
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'too_many_streams', message: MESSAGES.errors.too_many_streams },
    });
    expect(refused.headers.get('content-type')).toBe('application/problem+json');
    expect(refused.headers.get('retry-after')).toBe('15');
    for (const { leave } of ofOne) leave();
    expect((await open(uuid)).response.status).toBe(200);

    const others: string[] = [];
    while (others.length < STREAM_CAPS.perAddress) others.push(await newInvoice());
    const peer = '198.51.100.4';
    const statuses = [];
    for (const other of others) statuses.push((await open(other, { peer })).response.status);
    expect(statuses).toEqual(others.map(() => 200));
    expect((await open(uuid, { peer })).response.status).toBe(429);
    expect((await open(uuid, { peer: '198.51.100.5' })).response.status).toBe(200);
  });

  it('ends when its caller goes, although nobody else kept the request', async () => {
    const { response, caller } = await open(await newInvoice());
    await response.body?.getReader().read();
    // Beside it, answers of other tests that nobody read.
    const before = openStreams().size;
    await heapAfterGc();
    caller.abort();
    expect(openStreams().size).toBe(before - 1);
  });

  it('gives the place of an unknown invoice back at once', async () => {
    const before = openStreams().size;
    const { response } = await open('00000000-0000-4000-8000-000000000000');
    expect([response.status, openStreams().size]).toEqual([404, before]);
  });

  it('keeps its memory flat over 10,000 streams that were opened, aborted or asked for by HEAD', async () => {
    // Of many callers and invoices: the door lets one of them open only so many a minute.
    const uuids = await Promise.all(Array.from({ length: 20 }, newInvoice));
    let opened = 0;
    const another = (method = 'GET') => {
      opened += 1;
      return open(uuids[opened % uuids.length] ?? '', { method, peer: `198.18.0.${opened % 250}` });
    };
    const ways = [
      async () => {
        const { response } = await another();
        const stream = response.body?.getReader();
        await stream?.read();
        await stream?.cancel();
        return response.status;
      },
      async () => {
        const { response, leave } = await another();
        await response.body?.getReader().read();
        leave();
        return response.status;
      },
      async () => {
        const { response, leave } = await another();
        leave();
        return response.status;
      },
      async () => (await another('HEAD')).response.status,
    ];
    const answered = new Map<number | undefined, number>();
    const run = async (streams: number) => {
      answered.clear();
      for (let at = 0; at < streams; at += 8) {
        const statuses = await Promise.all(Array.from({ length: 8 }, (_, one) => ways[(at + one) % ways.length]?.()));
        for (const status of statuses) answered.set(status, (answered.get(status) ?? 0) + 1);
      }
    };
    await run(1_000);
    const before = await heapAfterGc();
    await run(10_000);
    const grown = (await heapAfterGc()) - before;
    expect(Object.fromEntries(answered)).toEqual({ 200: 7_500, 405: 2_500 });
    expect(openStreams().size).toBe(0);
    expect(grown, 'bytes of heap').toBeLessThan(3_000_000);
  }, 400_000);
});

async function heapAfterGc(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const gc: () => void = runInNewContext('gc');
  for (let at = 0; at < 3; at++) {
    gc();
    await new Promise(setImmediate);
  }
  return process.memoryUsage().heapUsed;
}
