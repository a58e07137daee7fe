import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { pinnedRequest } from './pinned-request';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const post = (port: number, more: { signal?: AbortSignal; maxResponseBytes?: number } = {}) =>
  pinnedRequest({
    url: new URL(`http://shop.example:${port}/hook`),
    addresses: [{ address: '127.0.0.1', family: 4 }],
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
    signal: more.signal ?? AbortSignal.timeout(5_000),
    maxResponseBytes: more.maxResponseBytes ?? 64 * 1024,
  });

test('the request goes to the given address under the name in the URL', async () => {
  let seen: { headers: IncomingHttpHeaders; body: string } | undefined;
  const port = await serve(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen = { headers: request.headers, body };
    response.writeHead(204, { 'retry-after': '7' }).end();
  });
  expect(await post(port)).toEqual({ status: 204, retryAfter: '7', text: '' });
  expect(seen?.headers.host).toBe(`shop.example:${port}`);
  expect(seen?.body).toBe('{"a":1}');
});

test('[D1] a redirect is an answer, not a way elsewhere', async () => {
  const paths: (string | undefined)[] = [];
  const port = await serve((request, response) => {
    paths.push(request.url);
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end();
  });
  expect((await post(port)).status).toBe(302);
  expect(paths).toEqual(['/hook']);
});

test('[D1] an endless answer is read up to the limit and cut', async () => {
  const port = await serve((_request, response) => {
    response.writeHead(200);
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
      if (!response.destroyed) response.once('drain', pour);
    };
    pour();
  });
  const answer = await post(port, { maxResponseBytes: 1_000 });
  expect(answer).toEqual({ status: 200, retryAfter: null, text: 'x'.repeat(1_000) });
});

test('[D1] a receiver that says nothing is given up when the signal says so', async () => {
  const port = await serve(() => undefined);
  await expect(post(port, { signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout');
});

test('an answer that breaks off after its status still counts', async () => {
  const port = await serve((_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('part', () => response.destroy());
  });
  expect(await post(port)).toMatchObject({ status: 200, text: 'part' });
});

test('over TLS the name in the URL is what the certificate is asked for, not the address', async () => {
  const hello: Buffer[] = [];
  const server = createTcpServer((socket) => {
    socket.once('data', (chunk) => {
      hello.push(chunk);
      socket.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  const request = pinnedRequest({
    url: new URL(`https://shop.example:${(server.address() as AddressInfo).port}/`),
    addresses: [{ address: '127.0.0.1', family: 4 }],
    headers: {},
    body: '',
    signal: AbortSignal.timeout(5_000),
    maxResponseBytes: 1,
  });
  await expect(request).rejects.toThrow();
  expect(Buffer.concat(hello).includes('shop.example')).toBe(true);
});

test('[D1] a receiver that does not speak TLS on https is an error', async () => {
  const port = await serve((_request, response) => response.end());
  const request = pinnedRequest({
    url: new URL(`https://shop.example:${port}/`),
    addresses: [{ address: '127.0.0.1', family: 4 }],
    headers: {},
    body: '',
    signal: AbortSignal.timeout(5_000),
    maxResponseBytes: 1,
  });
  await expect(request).rejects.toMatchObject({ code: expect.stringMatching(/SSL|EPROTO/) });
});
