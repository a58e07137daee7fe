import { connect, type Socket } from 'node:net';
import { expect } from '@playwright/test';
import { callApi } from '../support/call-api';
import { test } from '../support/test';

/** A connection that says `head` and then one more byte every second; `answer` is what came back until it was closed. */
function trickle(url: string, head: string): { socket: Socket; answer: Promise<string> } {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(head);
  const more = setInterval(() => socket.write('x'), 1_000);
  // A byte that is sent after the end resets the connection: that is an end too.
  const answer = new Promise<string>((resolve) => {
    socket.once('close', () => {
      clearInterval(more);
      resolve(text);
    });
  });
  return { socket, answer };
}

test('200 callers who never finish keep nobody waiting, and are cut off within half a minute', async ({
  instance,
  merchant,
}) => {
  const half = Array.from({ length: 100 }, () => trickle(instance.url, 'GET / HTTP/1.1\r\nHost: a\r\nX-Slow: '));
  const post = [
    'POST /api/invoices HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${merchant.token}`,
    'Content-Type: application/json',
    'Content-Length: 60000',
  ].join('\r\n');
  const bodies = Array.from({ length: 99 }, () => trickle(instance.url, `${post}\r\n\r\n{`));
  const page = trickle(instance.url, 'POST /pay/x HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n');

  const startedAt = Date.now();
  expect((await callApi(instance.url, '/api/health')).status).toBe(200);
  expect((await merchant.createInvoice()).status).toBe('pending');
  expect(Date.now() - startedAt).toBeLessThan(5_000);

  const within = { timeout: 45_000 };
  const closed = Promise.all([...half, ...bodies, page].map(({ answer }) => answer));
  await expect.poll(() => [...half, ...bodies, page].filter(({ socket }) => !socket.closed).length, within).toBe(0);
  const answers = await closed;
  expect(answers.slice(0, 100).every((text) => text.startsWith('HTTP/1.1 408'))).toBe(true);
  for (const text of answers.slice(100, 199)) {
    expect(text).toContain('HTTP/1.1 408');
    expect(text).toContain('"code":"request_timeout"');
  }
  expect((await callApi(instance.url, '/api/health')).status).toBe(200);
});
