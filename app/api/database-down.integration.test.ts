import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HealthView } from '@/lib/api-schema/health';
import { closeDatabase } from '@/lib/db/database';
import { webDatabase } from '@/lib/db/web-database';
import { type CallOptions, callRoute, type RouteAnswer } from '@/testing/call-route';
import { type OwnPostgres, startOwnPostgres } from '@/testing/own-postgres';
import { stubWebEnvironment } from '@/testing/stub-web-environment';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** The one asks for nothing that is stored, the other says itself how the database is. */
const OTHERS = ['[[...rest]]/route.ts', 'health/route.ts'];
const FILES = readdirSync(HERE, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('route.ts') && !OTHERS.includes(file),
);
/** What any route asks for; it leaves out what it does not know. */
const BODY = {
  ...{ name: 'Negozio', email: 'altro@example.it', password: 'una lunga parola segreta', description: 'Ordine' },
  ...{ cryptoType: 'ETH', amountEuro: 10, action: 'accept', target: randomUUID(), latePayments: 'review' },
};

type Handler = Parameters<typeof callRoute>[0];
interface Endpoint {
  name: string;
  handler: Handler;
  method: string;
}

let postgres: OwnPostgres;
let token: string;
const endpoints: Endpoint[] = [];
let health: Handler;
let me: Handler;

const call = (handler: Handler, options: CallOptions = {}) => callRoute(handler, { ...options, token });
const callEndpoint = ({ handler, method }: Endpoint): Promise<RouteAnswer> =>
  call(handler, {
    method,
    params: { id: randomUUID() },
    path: '/api/test?symbol=ETH',
    ...(method !== 'GET' && method !== 'DELETE' && { json: BODY }),
  });

async function timed<T>(act: () => Promise<T>): Promise<{ result: T; tookMs: number }> {
  const begunAt = performance.now();
  return { result: await act(), tookMs: performance.now() - begunAt };
}

beforeAll(async () => {
  postgres = await startOwnPostgres(path.resolve(HERE, '../..'));
  stubWebEnvironment(postgres.roleUrl('web'), { ETH_RPC_URL: 'http://127.0.0.1:1' });
  for (const file of FILES) {
    const route: Record<string, Handler> = await import(/* @vite-ignore */ `${HERE}${file}`);
    for (const method of METHODS) {
      const handler = route[method];
      if (!handler) continue;
      const { status } = await callRoute(handler, { method, params: { id: randomUUID() } });
      if (status !== 405) endpoints.push({ name: `${method} ${path.dirname(file)}`, handler, method });
    }
  }
  health = (await import('./health/route')).GET;
  me = (await import('./auth/me/route')).GET;
  const { POST: register } = await import('./auth/register/route');
  const { body } = await callRoute(register, { json: { ...BODY, email: 'merchant@example.it' } });
  token = String(body.token);
}, 120_000);

afterAll(async () => {
  await postgres.remove();
  await closeDatabase(webDatabase());
});

/** Every answer of every endpoint, by name, as far as it is not the one that is due. */
async function otherAnswers(): Promise<unknown[]> {
  const answers = await Promise.all(
    endpoints.map(async (endpoint) => ({ endpoint, answer: await callEndpoint(endpoint) })),
  );
  return answers
    .filter(({ answer: { status, body, headers } }) => {
      const isDue = status === 503 && body.code === 'service_unavailable' && Number(headers.get('retry-after')) > 0;
      return !isDue || body.message !== 'Il servizio non risponde al momento: riprova tra poco.';
    })
    .map(({ endpoint, answer }) => [endpoint.name, answer.status, answer.body]);
}

async function expectHealthDown(): Promise<void> {
  const { result, tookMs } = await timed(() => call(health));
  expect(tookMs).toBeLessThan(2_000);
  expect(result.status).toBe(503);
  expect(Number(result.headers.get('retry-after'))).toBeGreaterThan(0);
  const { status, coins } = HealthView.parse(result.body);
  expect(status).toBe('down');
  expect(coins.map(({ payable, problems }) => ({ payable, problems }))).toEqual([
    { payable: false, problems: ['database_down'] },
  ]);
}

describe.runIf(process.platform === 'linux')('a database that does not answer', () => {
  test('there are endpoints to ask, and all of them answer while it does', async () => {
    expect(endpoints.length).toBeGreaterThan(FILES.length);
    expect((await call(me)).status).toBe(200);
  });

  test('while it is frozen, with connections open, health says so within 2 s, again and again', async () => {
    await Promise.all(Array.from({ length: 8 }, () => call(me)));
    postgres.freeze();
    for (let time = 0; time < 3; time++) await expectHealthDown();
  });

  test('while it is frozen every endpoint answers 503 with Retry-After in less time than a browser waits', async () => {
    const { result, tookMs } = await timed(otherAnswers);
    expect(result).toEqual([]);
    expect(tookMs).toBeLessThan(20_000);
    await expectHealthDown();
  });

  test('when it goes on, so does the product', async () => {
    postgres.thaw();
    await expect.poll(async () => (await call(me)).status, { timeout: 10_000 }).toBe(200);
    expect(HealthView.parse((await call(health)).body).coins[0]?.problems).not.toContain('database_down');
  });

  test('when it is stopped every endpoint answers 503 with Retry-After, and health within 2 s', async () => {
    await postgres.stop();
    expect(await otherAnswers()).toEqual([]);
    await expectHealthDown();
  });
});
