import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { Waker } from '@/workers/runtime/waker';
import { claimLoop } from './claim-loop';

const logger = pino({ level: 'silent' });

function queue(items: string[]) {
  const stop = new AbortController();
  const waker = new Waker();
  const started: string[] = [];
  const finish = new Map<string, () => void>();
  const run = (concurrency: number, onStop?: (item: string) => void) =>
    claimLoop<string>({
      name: 'test',
      concurrency,
      claim: async (limit) => items.splice(0, limit),
      handle: (item, signal) =>
        new Promise((resolve, reject) => {
          started.push(item);
          finish.set(item, resolve);
          if (item === 'broken') reject(new Error('broken item'));
          signal.addEventListener('abort', () => {
            onStop?.(item);
            resolve();
          });
        }),
      waker,
      signal: stop.signal,
      logger,
    });
  return { stop, waker, started, finish, run };
}

test('an item that never ends holds its place only; the others are worked off around it', async () => {
  const { stop, started, finish, run } = queue(['slow', 'a', 'b', 'c']);
  const done = run(2);
  await vi.waitFor(() => expect(started).toEqual(['slow', 'a']));
  finish.get('a')?.();
  await vi.waitFor(() => expect(started).toEqual(['slow', 'a', 'b']));
  finish.get('b')?.();
  await vi.waitFor(() => expect(started).toEqual(['slow', 'a', 'b', 'c']));
  stop.abort();
  finish.get('slow')?.();
  finish.get('c')?.();
  await done;
});

test('an item that throws ends neither the loop nor the others', async () => {
  const { stop, started, finish, run } = queue(['broken', 'a']);
  const done = run(1);
  await vi.waitFor(() => expect(started).toEqual(['broken', 'a']));
  stop.abort();
  finish.get('a')?.();
  await done;
});

test('after the stop nothing new is taken, and what goes on too long is broken off', async () => {
  const items = ['slow', 'late'];
  const { stop, started, run } = queue(items);
  const broken: string[] = [];
  const done = run(1, (item) => broken.push(item));
  await vi.waitFor(() => expect(started).toEqual(['slow']));
  stop.abort();
  await done;
  expect({ started, broken, items }).toEqual({ started: ['slow'], broken: ['slow'], items: ['late'] });
});
