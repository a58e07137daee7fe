import { getEventListeners } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { fetchJson } from './bounded-fetch';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const LIMITS = { timeoutMs: 5_000, maxBytes: 1_000 };

test('an answer without an end is cut at the limit, declared or not', async () => {
  let isCut = false;
  const url = await serve((_request, response) => {
    response.on('close', () => {
      isCut = true;
    });
    const pour = () => {
      while (!response.destroyed && response.write(' '.repeat(1_024)));
      if (!response.destroyed) response.once('drain', pour);
    };
    pour();
  });
  await expect(fetchJson({ url, ...LIMITS })).rejects.toMatchObject({ reason: 'invalid_answer' });
  await expect.poll(() => isCut).toBe(true);
});

test('each caller has its own limit, also at one host', async () => {
  const url = await serve((_request, response) => response.end(JSON.stringify('x'.repeat(2_000))));
  await expect(fetchJson({ url, ...LIMITS })).rejects.toMatchObject({ reason: 'invalid_answer' });
  expect(await fetchJson({ url, ...LIMITS, maxBytes: 3_000 })).toHaveLength(2_000);
});

test('a packed answer is not asked for, because the limit counts what is received', async () => {
  const url = await serve((request, response) => response.end(JSON.stringify(request.headers['accept-encoding'])));
  expect(await fetchJson({ url, ...LIMITS })).toBe('identity');
});

test("nothing is left on the caller's signal, which outlives many requests", async () => {
  const url = await serve((_request, response) => response.end('{}'));
  const { signal } = new AbortController();
  await fetchJson({ url, ...LIMITS, signal });
  await fetchJson({ url: 'http://127.0.0.1:9/', ...LIMITS, signal }).catch(() => undefined);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('after a stop no request begins', async () => {
  let requests = 0;
  const url = await serve((_request, response) => {
    requests += 1;
    response.end('{}');
  });
  await expect(fetchJson({ url, ...LIMITS, signal: AbortSignal.abort() })).rejects.toMatchObject({
    reason: 'unreachable',
  });
  expect(requests).toBe(0);
});
