import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { answering, type Script, ScriptedError, type ScriptedNode, startScriptedNode } from '@/testing/scripted-node';
import { JsonRpcClient } from './json-rpc';

let node: ScriptedNode | undefined;
afterEach(() => node?.stop());

async function clientOf(script: Script) {
  node = await startScriptedNode(script);
  return new JsonRpcClient({ url: node.url });
}

const echo = (params: unknown[]) => ({ method: 'echo', params, result: z.number() });
/** Answers a batch with whatever JSON. */
const saying =
  (json: unknown): Script =>
  (_, response) =>
    void response.end(JSON.stringify(json));

test('batch answers in any order are matched by id', async () => {
  const client = await clientOf(({ calls }, response) => {
    const answers = calls.map(({ id, params }) => ({ jsonrpc: '2.0', id, result: params[0] }));
    response.end(JSON.stringify(answers.toReversed()));
  });
  expect(await client.batch([echo([10]), echo([20]), echo([30])])).toEqual([10, 20, 30]);
});

test.each([
  ['an answer too few', [{ id: 1, result: 1 }]],
  [
    'the same answer twice',
    [
      { id: 1, result: 1 },
      { id: 1, result: 1 },
    ],
  ],
  [
    'a foreign id',
    [
      { id: 1, result: 1 },
      { id: 3, result: 1 },
    ],
  ],
  [
    'an answer too many',
    [
      { id: 1, result: 1 },
      { id: 2, result: 1 },
      { id: 3, result: 1 },
    ],
  ],
  ['something that is no list', 'ok'],
])('[B5] %s makes the batch invalid', async (_, json) => {
  const client = await clientOf(saying(json));
  await expect(client.batch([echo([1]), echo([2])])).rejects.toMatchObject({ reason: 'invalid_answer' });
});

test('a single error object for a whole batch is understood', async () => {
  const client = await clientOf(
    saying({ jsonrpc: '2.0', id: null, error: { code: -32005, message: 'limit exceeded' } }),
  );
  await expect(client.batch([echo([1]), echo([2])])).rejects.toMatchObject({ reason: 'rate_limited' });
});

test("a node's error for one call of a batch leaves the others standing, and names the method", async () => {
  const client = await clientOf(
    answering(({ params }) => {
      if (params[0] === 2) throw new ScriptedError(-39001, 'unknown block');
      return params[0];
    }),
  );
  const [first, second] = await client.settle([echo([1]), echo([2])]);
  expect(first).toEqual({ ok: true, value: 1 });
  expect(second).toMatchObject({ ok: false, error: { message: expect.stringMatching(/echo.*unknown block/) } });
});

test('[B6] a result of another shape, or none at all, is refused', async () => {
  const client = await clientOf(saying({ jsonrpc: '2.0', id: 1, result: '10' }));
  await expect(client.call(echo([]))).rejects.toMatchObject({ reason: 'invalid_answer' });
  if (node) node.script = saying({ jsonrpc: '2.0', id: 1 });
  await expect(client.call(echo([]))).rejects.toMatchObject({ reason: 'invalid_answer' });
  if (node) node.script = saying({ jsonrpc: '2.0', id: 2, result: 10 });
  await expect(client.call(echo([]))).rejects.toMatchObject({ reason: 'invalid_answer' });
});

test('an empty batch asks nothing', async () => {
  const client = await clientOf(saying([]));
  expect(await client.batch([])).toEqual([]);
  expect(node?.calls).toEqual([]);
});

/** A node that takes up to `most` calls in a request and answers larger ones by `refuse`. */
const taking = (most: number, refuse: Script): Script => {
  const serve = answering(({ params }) => params[0]);
  return (asked, response) => (asked.calls.length > most ? refuse(asked, response) : serve(asked, response));
};
const status =
  (code: number, headers: Record<string, string> = {}): Script =>
  (_, response) =>
    void response.writeHead(code, headers).end('{}');
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
/** How many calls each request had that the node received, while `work` ran. */
async function sizesOf(client: JsonRpcClient, count: number): Promise<number[]> {
  const sizes: number[] = [];
  const script = node?.script;
  if (node && script)
    node.script = (asked, response) => {
      sizes.push(asked.calls.length);
      return script(asked, response);
    };
  expect(await client.batch(numbers(count).map((n) => echo([n])))).toEqual(numbers(count));
  if (node && script) node.script = script;
  return sizes;
}

test.each<[string, Script]>([
  [
    'an error object instead of a list',
    saying({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'too big' } }),
  ],
  ['a list of one error', saying([{ jsonrpc: '2.0', id: null, error: { code: -32000, message: 'too big' } }])],
  [
    'limit exceeded for the rest',
    answering(({ id, params }) => (id > 2 ? Promise.reject(new ScriptedError(-32005, 'limit')) : params[0])),
  ],
  ['HTTP 413', status(413)],
  ['HTTP 429', status(429)],
])(
  '[B5] a node that refuses requests of more than three calls by %s is asked less at a time, and that is remembered',
  async (_, refuse) => {
    const client = await clientOf(taking(3, refuse));
    expect((await sizesOf(client, 10)).some((size) => size > 3)).toBe(true);
    expect(Math.max(...(await sizesOf(client, 10)))).toBeLessThanOrEqual(3);
  },
);

test('[B5] a node that takes no list at all is asked one call at a time', async () => {
  const serve = answering(({ params }) => params[0]);
  const client = await clientOf((asked, response) =>
    asked.isBatch
      ? saying({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no lists' } })(asked, response)
      : serve(asked, response),
  );
  expect(await sizesOf(client, 4)).toEqual([4, 2, 1, 1, 1, 1]);
});

test('[B5] requests grow again, one call after many full ones, as far as the node takes them', async () => {
  const client = await clientOf(taking(3, status(413)));
  await sizesOf(client, 8);
  const grown: number[] = [];
  for (let rounds = 0; rounds < 30; rounds += 1) grown.push(...(await sizesOf(client, 30)));
  expect(grown.filter((size) => size === 3).length).toBeGreaterThan(50);
  expect(grown.filter((size) => size > 3).length).toBeLessThanOrEqual(2);
});

test('[B5] a node that names a time to wait is left alone, and asked less afterwards', async () => {
  const client = await clientOf(taking(3, status(429, { 'retry-after': '7' })));
  await expect(client.batch(numbers(6).map((n) => echo([n])))).rejects.toMatchObject({
    reason: 'rate_limited',
    retryAfterSeconds: 7,
  });
  expect(node?.calls).toHaveLength(6);
  expect(Math.max(...(await sizesOf(client, 6)))).toBe(3);
});

test('[B5] a node that answers, but dies of a request, is asked less the next time; one that is away is not', async () => {
  const client = await clientOf(taking(3, status(503)));
  const ask = () => client.batch(numbers(8).map((n) => echo([n])));
  const fails = () => expect(ask()).rejects.toMatchObject({ reason: 'unreachable' });
  await fails();
  await fails();
  expect(node?.calls).toHaveLength(16);
  for (let looks = 0; looks < 2; looks += 1) {
    await client.call(echo([1]));
    await fails();
  }
  await client.call(echo([1]));
  expect(Math.max(...(await sizesOf(client, 8)))).toBe(2);
});
