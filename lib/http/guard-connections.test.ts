import { once } from 'node:events';
import { createServer, type Server, request as send } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ConnectionLimits, guardConnections } from './guard-connections';

const LIMITS: ConnectionLimits = { headMs: 150, bodyMs: 250, mostPerAddress: 1_000, most: 2_000 };
const ended: (() => unknown)[] = [];
afterEach(() => {
  for (const end of ended.splice(0)) end();
});

/** A server that answers when a request's body is there, under limits of a test. */
async function serve(limits: Partial<ConnectionLimits> = {}): Promise<{ port: number; server: Server }> {
  ended.push(guardConnections({ ...LIMITS, ...limits }));
  const server = createServer({ keepAliveTimeout: 100 }, (request, response) => {
    if (request.url === '/at-once') return void response.end('ok');
    if (request.url === '/stream') return void response.write('open\n');
    request.resume().on('end', () => response.end('ok'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ended.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  return { server, port: (server.address() as AddressInfo).port };
}

/** A connection that says `head` and then one more byte every few milliseconds. */
function trickle(port: number, head: string): { socket: Socket; closed: Promise<string> } {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(head);
  const more = setInterval(() => socket.write('x'), 10);
  ended.push(() => clearInterval(more));
  const closed = once(socket, 'close').then(() => {
    clearInterval(more);
    return answer;
  });
  return { socket, closed };
}

const ask = async (port: number) => (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x' })).text();
const openConnections = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));

describe('guardConnections', () => {
  it('keeps answering beside 200 half-open requests and trickling bodies, which are all gone after their time', async () => {
    const { port, server } = await serve();
    const heads = Array.from({ length: 100 }, () => trickle(port, 'GET / HTTP/1.1\r\nX-Slow: '));
    const bodies = Array.from({ length: 100 }, () =>
      trickle(port, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n'),
    );
    expect(await ask(port)).toBe('ok');
    for (const answer of await Promise.all([...heads, ...bodies].map(({ closed }) => closed)))
      expect(answer).toMatch(/^(HTTP\/1\.1 408 |$)/);
    expect(await ask(port)).toBe('ok');
    await vi.waitFor(async () => expect(await openConnections(server)).toBeLessThanOrEqual(1));
  });

  it.each(['', 'GET', 'GET / HTTP/1.1\r\n', 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n'])(
    'cuts off what begins with %j and never ends',
    async (text) => {
      const { port } = await serve();
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.resume().write(text);
      await once(socket, 'close');
    },
  );

  it('cuts off a body that trickles on after its answer', async () => {
    const { port } = await serve();
    const { closed } = trickle(port, 'POST /at-once HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n');
    expect(await closed).toContain('200 OK');
  });

  it('cuts off a second request whose head trickles on a connection that is known', async () => {
    const { port } = await serve();
    const { closed } = trickle(port, 'GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\nX-Slow: ');
    expect(await closed).toContain('200 OK');
  });

  it('leaves an open answer alone, however long it takes', async () => {
    const { port } = await serve({ headMs: 30, bodyMs: 30 });
    const request = send({ port, host: '127.0.0.1', path: '/stream' }).end();
    const [response] = await once(request, 'response');
    let isOver = false;
    response
      .on('data', () => undefined)
      .on('close', () => {
        isOver = true;
      });
    // Ten connections that are cut off one after the other: more time than the stream would have had.
    for (let n = 0; n < 10; n++) await trickle(port, 'GET').closed;
    expect(isOver).toBe(false);
    request.destroy();
  });

  it('takes so many connections of one address and no more, and others again when they are gone', async () => {
    const { port } = await serve({ mostPerAddress: 3, headMs: 60_000 });
    const open = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const socket = connect(port, '127.0.0.1');
        await once(socket, 'connect');
        return socket;
      }),
    );
    const refused = connect(port, '127.0.0.1');
    refused.on('error', () => undefined);
    await once(refused.resume(), 'close');
    for (const socket of open) socket.destroy();
    await vi.waitFor(async () => expect(await ask(port)).toBe('ok'));
  });

  it('takes so many connections in all', async () => {
    const { port } = await serve({ mostPerAddress: null, most: 2, headMs: 60_000 });
    const open = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
    await Promise.all(open.map((socket) => once(socket, 'connect')));
    await expect(ask(port)).rejects.toThrow();
    for (const socket of open) socket.destroy();
    await vi.waitFor(async () => expect(await ask(port)).toBe('ok'));
  });
});
