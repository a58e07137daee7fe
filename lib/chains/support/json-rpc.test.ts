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
