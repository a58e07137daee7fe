import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { IdParam, PageQuery } from '@/lib/api-schema/common';
import { Problem } from '@/lib/api-schema/problem';
import { AppError } from '@/lib/shared/errors';
import { MAX_BODY_BYTES } from '@/lib/shared/limits';
import { callRoute } from '@/testing/call-route';
import { defineRoute } from './define-route';

const Body = z.object({
  name: z.string({ error: 'Il nome è obbligatorio.' }).min(1, 'Il nome è obbligatorio.'),
  amount: z.number().optional(),
  nested: z.object({ 'a/b': z.string() }).optional(),
});

const echo = defineRoute({ auth: 'none', body: Body, response: Body, handler: async ({ body }) => body });

beforeAll(() => {
  vi.stubEnv('LOG_LEVEL', 'silent');
});
afterEach(() => {
  vi.restoreAllMocks();
});

function streamOf(chunks: number, onPull: () => void = () => undefined): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      onPull();
      if (sent++ === chunks) controller.close();
      else controller.enqueue(new Uint8Array(16 * 1024).fill(32));
    },
  });
}

async function send(body: BodyInit | null, headers: Record<string, string> = {}) {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body, duplex: 'half' };
  const response = await echo(new Request('http://localhost/api/test', init), { params: Promise.resolve({}) });
  return { status: response.status, headers: response.headers, body: Problem.parse(await response.json()) };
}

describe('defineRoute: the body', () => {
  it('hands over what the schema knows and nothing else', async () => {
    const { status, body } = await callRoute(echo, { json: { name: 'Rossi', isAdmin: true, userId: 7 } });
    expect(status).toBe(200);
    expect(body).toEqual({ name: 'Rossi' });
  });

  it.each([
    ['a missing field', '{}', '/name', 'required', 'Il nome è obbligatorio.'],
    ['a field of another type', '{"name":5}', '/name', 'invalid_type', 'Il nome è obbligatorio.'],
    ['a number with an exponent', '{"name":"a","amount":1e3}', '/amount', 'invalid_type', 'Valore non valido.'],
    ['a number as text', '{"name":"a","amount":"5"}', '/amount', 'invalid_type', 'Valore non valido.'],
    [
      'a number that no double holds',
      '{"name":"a","amount":0.1000000000000000055}',
      '/amount',
      'invalid_type',
      'Valore non valido.',
    ],
    ['an object as text', '{"name":"a","nested":"x"}', '/nested', 'invalid_type', 'Valore non valido.'],
    ['a nested field', '{"name":"a","nested":{}}', '/nested/a~1b', 'required', 'Campo obbligatorio.'],
    ['a NUL character', '{"name":"a\\u0000b"}', '/name', 'invalid_text', 'Il testo contiene caratteri non ammessi.'],
    [
      'half a surrogate pair',
      '{"name":"a\\ud800b"}',
      '/name',
      'invalid_text',
      'Il testo contiene caratteri non ammessi.',
    ],
  ])('refuses %s with the field, its code and an Italian text', async (_what, text, pointer, code, detail) => {
    const { status, headers, body } = await send(text);
    expect(status).toBe(422);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(body).toMatchObject({ code: 'invalid_request', message: detail, errors: [{ pointer, code, detail }] });
    expect(body.requestId).toBe(headers.get('x-request-id'));
  });

  it.each(['', '{', 'null', '[]', '"text"', '5', '{"name":"a"}{', '{"name":"a","name":"b"}'])(
    'refuses %j as invalid_json',
    async (text) => {
      expect(await send(text)).toMatchObject({ status: 400, body: { code: 'invalid_json' } });
    },
  );

  it('refuses bytes that are not UTF-8', async () => {
    expect(await send(Buffer.from([0x7b, 0xff, 0x7d]))).toMatchObject({ status: 400, body: { code: 'invalid_json' } });
  });

  it.each<Record<string, string>>([
    { 'Content-Type': 'text/plain' },
    { 'Content-Type': 'application/x-www-form-urlencoded' },
    { 'Content-Type': 'application/json; charset=iso-8859-1' },
    { 'Content-Encoding': 'gzip' },
  ])('refuses %j as an unsupported media type', async (headers) => {
    expect(await send('{"name":"a"}', headers)).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    });
  });

  it('accepts application/json with a charset and types that end in +json', async () => {
    for (const type of ['application/json; charset=utf-8', 'application/merge-patch+json'])
      expect(await callRoute(echo, { json: { name: 'a' }, headers: { 'Content-Type': type } })).toMatchObject({
        status: 200,
      });
  });

  it('refuses a body of 1 MB by its declared length', async () => {
    const { status, body } = await send(JSON.stringify({ name: 'x'.repeat(1024 * 1024) }), {
      'Content-Length': String(1024 * 1024),
    });
    expect([status, body.code]).toEqual([413, 'body_too_large']);
  });

  it.each<Record<string, string>>([{}, { 'Content-Length': '10' }])(
    'counts the bytes themselves when it declares %j',
    async (headers) => {
      const pulls = vi.fn();
      const { status, body } = await send(streamOf(64, pulls), headers);
      expect([status, body.code]).toEqual([413, 'body_too_large']);
      expect(pulls.mock.calls.length).toBeLessThan(MAX_BODY_BYTES / (16 * 1024) + 4);
    },
  );

  it('answers no depth of nesting with a fault of its own, and looks no further than its limit', async () => {
    for (const depth of [1, 2, 31, 32, 33, 100, 500, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 9_000])
      for (const [open, close] of [
        ['[', ']'],
        ['{"name":', '}'],
        ['[{"name":', '}]'],
      ] as const) {
        const { status } = await send(`{"name":${open.repeat(depth)}1${close.repeat(depth)}}`);
        expect([400, 413, 422]).toContain(status);
        if (depth > 32 && status !== 413) expect(status).toBe(400);
      }
  });

  it('reads a body of exactly the most bytes', async () => {
    const text = JSON.stringify({ name: '' });
    const name = 'x'.repeat(MAX_BODY_BYTES - text.length);
    expect(await callRoute(echo, { json: { name } })).toMatchObject({ status: 200, body: { name } });
  });

  it('answers 400 when the caller goes away in the middle', async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error('aborted')) });
    expect(await send(body)).toMatchObject({ status: 400, body: { code: 'invalid_json' } });
  });
});

describe('defineRoute: path and query', () => {
  const route = defineRoute({
    auth: 'none',
    params: IdParam,
    query: z.object({ ...PageQuery, status: z.enum(['paid']).optional() }),
    response: z.object({ id: z.string(), page: z.number(), pageSize: z.number(), status: z.string().optional() }),
    handler: async ({ params, query }) => ({ ...params, ...query }),
  });

  it('reads both, with defaults; an empty parameter counts as left out', async () => {
    const { body } = await callRoute(route, { path: '/api/test?page=3&status=', params: { id: '12' } });
    expect(body).toEqual({ id: '12', page: 3, pageSize: 10 });
  });

  it.each(['0', '-1', 'abc', '1.5', '9999999999', "1' OR 1=1", '../x', '11111111-1111-1111-1111-11111111111'])(
    'answers 404 to the id %j, which names nothing',
    async (id) => {
      expect(await callRoute(route, { params: { id } })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    },
  );

  it.each(['x', '1e3', '0x10', '%2012%20', '1.0', '1.5', '-1', '%2B1', '012', 'Infinity', '1_0', '9'.repeat(16)])(
    'takes ?page=%s for no number, as a body would',
    async (text) => {
      const { status, body } = await callRoute(route, { path: `/api/test?page=${text}`, params: { id: '1' } });
      expect(status).toBe(422);
      expect(body).toMatchObject({ message: 'Scrivi un numero intero, in sole cifre.', errors: [{ pointer: 'page' }] });
    },
  );

  it.each([
    ['page=0', 'page', 'Valore minimo: 1.'],
    ['page=1000001', 'page', 'Valore massimo: 1000000.'],
    ['pageSize=101', 'pageSize', 'Valore massimo: 100.'],
    ['page=1&page=2', 'page', 'Valore non valido.'],
    ['status=unknown', 'status', 'Valore non ammesso.'],
    ['status=%00', 'status', 'Il testo contiene caratteri non ammessi.'],
  ])('refuses ?%s by the name of the parameter', async (query, pointer, detail) => {
    const { status, body } = await callRoute(route, { path: `/api/test?${query}`, params: { id: '1' } });
    expect(status).toBe(422);
    expect(body).toMatchObject({ message: detail, errors: [{ pointer, detail }] });
  });
});

describe('defineRoute: the answer', () => {
  it('leaves out what the response schema does not name', async () => {
    const route = defineRoute({
      auth: 'none',
      response: z.object({ id: z.number() }),
      status: 201,
      handler: async () => ({ id: 1, passwordHash: 'secret' }),
    });
    expect(await callRoute(route)).toMatchObject({ status: 201, body: { id: 1 } });
    expect((await callRoute(route)).body).not.toHaveProperty('passwordHash');
  });

  it('tells nobody what broke inside: a fixed text, the cause only in the log', async () => {
    const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const route = defineRoute({
      auth: 'none',
      handler: async () => {
        throw new Error('password of the database is hunter2');
      },
    });
    const { status, body } = await callRoute(route);
    expect(status).toBe(500);
    expect(body).toMatchObject({ code: 'internal_error', message: 'Errore interno: riprova più tardi.' });
    expect(JSON.stringify(body)).not.toContain('hunter2');
    output.mockRestore();
  });

  it('answers 500 when the handler breaks its own contract', async () => {
    const route = defineRoute({
      auth: 'none',
      response: z.object({ amount: z.string().regex(/^\d+$/) }),
      handler: async () => ({ amount: '1e21' }),
    });
    expect(await callRoute(route)).toMatchObject({ status: 500, body: { code: 'internal_error' } });
  });

  it('carries Retry-After and the stable code of a refusal', async () => {
    const route = defineRoute({
      auth: 'none',
      handler: async () => {
        throw new AppError('rate_unavailable', { retryAfterSeconds: 4.2 });
      },
    });
    const { status, headers, body } = await callRoute(route);
    expect([status, headers.get('retry-after'), body.code]).toEqual([503, '5', 'rate_unavailable']);
    expect(Problem.parse(body).type).toMatch(/^http.*#rate_unavailable$/);
  });

  it('lets a handler choose the status and add headers', async () => {
    const route = defineRoute({
      auth: 'none',
      response: z.object({ status: z.string() }),
      handler: async ({ reply }) => {
        reply.status = 503;
        reply.headers.set('Retry-After', '5');
        return { status: 'down' };
      },
    });
    const { status, headers } = await callRoute(route);
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  });

  it("sends a handler's own Response, with the request id", async () => {
    const route = defineRoute({ auth: 'none', handler: async () => Response.json({ raw: true }) });
    const { headers, body } = await callRoute(route, { headers: { 'X-Request-Id': 'from-the-proxy-1' } });
    expect([body.raw, headers.get('x-request-id')]).toEqual([true, 'from-the-proxy-1']);
  });

  it('does not repeat a request id that could forge a log line', async () => {
    const { headers } = await callRoute(echo, { json: { name: 'a' }, headers: { 'X-Request-Id': 'x"} {"level":60' } });
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('refuses a guarded route without credentials, and says how to authenticate', async () => {
    const route = defineRoute({ auth: 'session', handler: async () => Response.json({}) });
    const { status, headers, body } = await callRoute(route, { headers: { 'X-API-Key': 'inc_live_x' } });
    expect([status, body.code, headers.get('www-authenticate')]).toEqual([
      401,
      'unauthorized',
      'Bearer realm="incassa"',
    ]);
  });
});
