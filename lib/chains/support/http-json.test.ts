import type { ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { type ScriptedNode, startScriptedNode } from '@/testing/scripted-node';
import { ChainError } from '../types';
import { httpJson } from './http-json';

let node: ScriptedNode | undefined;
afterEach(() => node?.stop());

/** What comes of a request to a node that answers so. */
async function ask(
  answer: (response: ServerResponse) => void,
  options: { timeoutMs?: number; maxBytes?: number } = {},
) {
  node = await startScriptedNode((_, response) => answer(response));
  return httpJson({ url: `${node.url}/secret-key`, body: '{}', ...options });
}

async function fault(...args: Parameters<typeof ask>): Promise<ChainError> {
  const error = await ask(...args).catch((cause: unknown) => cause);
  if (!(error instanceof ChainError)) throw new Error(`not a ChainError: ${error}`);
  return error;
}

test('[B5] a node in trouble (5xx) is unreachable', async () => {
  const error = await fault((response) => response.writeHead(503).end('<html>'));
  expect(error.reason).toBe('unreachable');
});

test('[B5] 429 is a limit, with the time that the node asks for', async () => {
  const seconds = await fault((response) => response.writeHead(429, { 'retry-after': '7' }).end());
  expect([seconds.reason, seconds.retryAfterSeconds]).toEqual(['rate_limited', 7]);
  await node?.stop();
  const date = new Date(Date.now() + 20_000).toUTCString();
  const dated = await fault((response) => response.writeHead(429, { 'retry-after': date }).end());
  expect(dated.retryAfterSeconds).toBeGreaterThan(15);
  await node?.stop();
  const endless = await fault((response) => response.writeHead(429, { 'retry-after': '999999999' }).end());
  expect(endless.retryAfterSeconds).toBe(300);
});

test.each([
  ['HTML instead of JSON', '<html><body>Bad gateway</body></html>'],
  ['truncated JSON', '{"jsonrpc":"2.0","id":1,"resu'],
  ['an empty answer', ''],
])('[B5] %s is an invalid answer', async (_, body) => {
  const error = await fault((response) => response.end(body));
  expect(error.reason).toBe('invalid_answer');
});

test('[B5] a connection that ends in the middle of the body is a fault of the connection', async () => {
  const error = await fault((response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"id":1', () => response.destroy());
  });
  expect(error.reason).toBe('unreachable');
});

test('[B5] silence ends at the time limit, before or after the headers', async () => {
  const mute = await fault(() => undefined, { timeoutMs: 50 });
  expect(mute.reason).toBe('timeout');
  await node?.stop();
  const slow = await fault((response) => response.writeHead(200).write('{'), { timeoutMs: 50 });
  expect(slow.reason).toBe('timeout');
});

test('[B5] an answer above the size limit is not read to its end', async () => {
  const error = await fault((response) => response.end(JSON.stringify('x'.repeat(10_000))), { maxBytes: 1_000 });
  expect([error.reason, error.message]).toEqual(['invalid_answer', expect.stringContaining('1000 bytes')]);
});

test('a redirect is not followed', async () => {
  const error = await fault((response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end());
  expect(error.reason).toBe('unreachable');
});

test('no node at all is unreachable, and no error shows the path of a URL, which may be a key', async () => {
  node = await startScriptedNode(() => undefined);
  const url = `${node.url}/secret-key`;
  await node.stop();
  const error = await httpJson({ url, body: '{}' }).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ reason: 'unreachable' });
  expect(String(error)).not.toContain('secret-key');
});

test('a name and a password in the URL become Basic authentication', async () => {
  let header: string | undefined;
  node = await startScriptedNode((_, response) => {
    header = response.req.headers.authorization;
    response.end('true');
  });
  await httpJson({ url: node.url.replace('//', '//rpc:p%40ss@'), body: '{}' });
  expect(header).toBe(`Basic ${Buffer.from('rpc:p@ss').toString('base64')}`);
});

test('a stop ends a request that is under way', async () => {
  const stop = new AbortController();
  node = await startScriptedNode(() => stop.abort());
  await expect(httpJson({ url: node.url, body: '{}', signal: stop.signal })).rejects.toMatchObject({
    reason: 'unreachable',
  });
});
