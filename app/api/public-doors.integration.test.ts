import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CreatedApiKeyView } from '@/lib/api-schema/api-keys';
import { SessionView } from '@/lib/api-schema/auth';
import { webDatabase } from '@/lib/db/web-database';
import type { RouteHandler } from '@/lib/http/define-route';
import { DOORS } from '@/lib/http/doors';
import { PEER_HEADER } from '@/lib/http/watch-requests';
import { STREAM_CAPS } from '@/lib/shared/limits';
import { type CallOptions, callRoute } from '@/testing/call-route';
import { stubWebEnvironment } from '@/testing/stub-web-environment';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { GET as elsewhere } from './[[...rest]]/route';
import { POST as createApiKey } from './apikeys/route';
import { GET as me } from './auth/me/route';
import { POST as register } from './auth/register/route';
import { GET as price } from './crypto/price/route';
import { GET as health } from './health/route';
import { GET as checkPayment } from './invoices/public/[id]/check-payment/route';
import { POST as chooseCoin } from './invoices/public/[id]/crypto/route';
import { PUT as setEmail } from './invoices/public/[id]/email/route';
import { GET as events } from './invoices/public/[id]/events/route';
import { GET as publicInvoice } from './invoices/public/[id]/route';
import { GET as invoices } from './invoices/route';

let database: TestDatabase;
let addresses = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  stubWebEnvironment(database.roleUrl('web'));
});
afterAll(() => database.drop());

function newAddress(): string {
  addresses += 1;
  return `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

interface From extends CallOptions {
  address: string;
}
const from = (handler: RouteHandler, { address, ...options }: From) =>
  callRoute(handler, { ...options, headers: { [PEER_HEADER]: address, ...options.headers } });

/** Statuses of many requests, as many at a time as may have a stream of one invoice. */
async function many(times: number, call: (n: number) => Promise<{ status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < times) {
    const burst = Array.from({ length: Math.min(STREAM_CAPS.perInvoice, times - statuses.length) }, (_, n) =>
      call(statuses.length + n),
    );
    statuses.push(...(await Promise.all(burst)).map(({ status }) => status));
  }
  return statuses;
}
const refusedOf = (statuses: number[]) => statuses.filter((status) => status === 429).length;

/** Statements that the web process sends while `work` runs. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(webDatabase().pool, 'query');
  await work();
  const count = query.mock.calls.length;
  query.mockRestore();
  return count;
}

const unknown = () => ({ params: { id: randomUUID() } });
const doors: [string, RouteHandler, () => CallOptions, number][] = [
  ['GET an invoice', publicInvoice, unknown, DOORS.invoiceRead.byAddress.points],
  ['GET check-payment', checkPayment, unknown, DOORS.invoiceRead.byAddress.points],
  ['GET events', events, unknown, DOORS.invoiceStream.byAddress.points],
  ['POST crypto', chooseCoin, () => ({ ...unknown(), json: { cryptoType: 'ETH' } }), DOORS.payStep.byAddress.points],
  ['PUT email', setEmail, () => ({ ...unknown(), json: { email: 'a@b.it' } }), DOORS.payStep.byAddress.points],
  ['GET price', price, () => ({ path: '/api/crypto/price?symbol=ETH' }), DOORS.price.byAddress.points],
  ['GET health', health, () => ({}), DOORS.health.byAddress.points],
  ['a path that does not exist', elsewhere, () => ({}), DOORS.other.byAddress.points],
];

describe('a public door', () => {
  it.each(doors)(
    '%s lets one address through so often and no more, for no statement',
    async (_name, handler, call, points) => {
      const address = newAddress();
      expect(refusedOf(await many(points, () => from(handler, { ...call(), address })))).toBe(0);
      const refused = await statementsOf(async () => {
        const answer = await from(handler, { ...call(), address });
        expect(answer).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      });
      expect(refused).toBe(0);
      expect((await from(handler, { ...call(), address: newAddress() })).status).not.toBe(429);
    },
  );

  it.each([
    ['GET an invoice', publicInvoice, {}, DOORS.invoiceRead.byObject.points],
    ['GET events', events, {}, DOORS.invoiceStream.byObject.points],
    ['PUT email', setEmail, { json: { email: 'a@b.it' } }, DOORS.payStep.byObject.points],
  ])(
    '%s lets all together ask so often about one invoice, and about others still',
    async (_name, handler, call, points) => {
      const params = { id: randomUUID() };
      expect(refusedOf(await many(points, () => from(handler, { ...call, params, address: newAddress() })))).toBe(0);
      expect((await from(handler, { ...call, params, address: newAddress() })).status).toBe(429);
      expect((await from(handler, { ...call, ...unknown(), address: newAddress() })).status).toBe(404);
    },
  );

  it('refuses before the body is read', async () => {
    const address = newAddress();
    const text = '{'.repeat(5_000);
    const statuses = await many(121, () => from(setEmail, { ...unknown(), text, address }));
    expect([statuses[0], statuses.at(-1)]).toEqual([400, 429]);
  });

  it('stores nothing, whoever comes', async () => {
    const { rows } = await database.db.pool.query('SELECT count(*)::int AS n FROM rate_limit');
    expect(rows[0]?.n).toBe(0);
  });
});

describe('wrong credentials', () => {
  async function merchant() {
    const json = { name: 'Negozio', email: `${randomUUID()}@example.it`, password: 'correct horse battery' };
    const { token } = SessionView.parse((await from(register, { json, address: newAddress() })).body);
    const created = await from(createApiKey, { token, json: { name: 'Chiave' }, address: newAddress() });
    return { token, key: CreatedApiKeyView.parse(created.body).key };
  }

  it('of one address are refused after 300 a minute before they cost a statement; good ones that were seen go on', async () => {
    const [seen, fresh] = [await merchant(), await merchant()];
    const address = newAddress();
    const good = { address, headers: { 'X-API-Key': seen.key } };
    expect((await from(invoices, good)).status).toBe(200);
    const statuses = await many(320, (n) =>
      n % 2
        ? from(invoices, { address, headers: { 'X-API-Key': `inc_live_${n}` } })
        : from(me, { address, token: `forged ${n}`.replace(' ', '') }),
    );
    expect(refusedOf(statuses)).toBe(20);
    const cost = await statementsOf(async () => {
      expect((await from(invoices, { address, headers: { 'X-API-Key': fresh.key } })).status).toBe(429);
    });
    expect(cost).toBe(0);
    expect((await from(invoices, good)).status).toBe(200);
    expect((await from(invoices, { ...good, address: newAddress() })).status).toBe(200);
    expect((await from(me, { address: newAddress(), token: fresh.token })).status).toBe(200);
  });

  it('that were good once are counted from their first refusal on', async () => {
    const { key } = await merchant();
    const address = newAddress();
    const call = () => from(invoices, { address, headers: { 'X-API-Key': key } });
    expect((await call()).status).toBe(200);
    await database.db.pool.query('UPDATE api_key SET is_active = false');
    expect(refusedOf(await many(400, call))).toBeGreaterThan(0);
  });
});
