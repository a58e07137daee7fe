import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { runLoop } from './run-loop';
import { Waker } from './waker';

const FOREVER_MS = 3_600_000;

function recordingLogger() {
  const lines: Record<string, unknown>[] = [];
  return { lines, logger: pino({}, { write: (line: string) => lines.push(JSON.parse(line)) }) };
}

test('a loop runs at once, and again whenever it is woken', async () => {
  const stop = new AbortController();
  const waker = new Waker();
  let runs = 0;
  const { logger } = recordingLogger();
  const done = runLoop({
    name: 'a',
    intervalMs: FOREVER_MS,
    signal: stop.signal,
    logger,
    waker,
    task: async () => ++runs,
  });
  await vi.waitFor(() => expect(runs).toBe(1));
  waker.wake();
  await vi.waitFor(() => expect(runs).toBe(2));
  stop.abort();
  await done;
  expect(runs).toBe(2);
});

test('a loop runs again after its interval without being woken', async () => {
  const stop = new AbortController();
  let runs = 0;
  const { logger } = recordingLogger();
  const done = runLoop({ name: 'a', intervalMs: 5, signal: stop.signal, logger, task: async () => ++runs });
  await vi.waitFor(() => expect(runs).toBeGreaterThan(3));
  stop.abort();
  await done;
});

test('wake-ups during a run lead to one more run, and runs never overlap', async () => {
  const stop = new AbortController();
  const waker = new Waker();
  const { logger } = recordingLogger();
  let running = 0;
  let most = 0;
  let runs = 0;
  const release: (() => void)[] = [];
  const task = async () => {
    runs += 1;
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => release.push(resolve));
    running -= 1;
  };
  const done = runLoop({ name: 'a', intervalMs: FOREVER_MS, signal: stop.signal, logger, waker, task });
  await vi.waitFor(() => expect(runs).toBe(1));
  waker.wake();
  waker.wake();
  release.shift()?.();
  await vi.waitFor(() => expect(runs).toBe(2));
  stop.abort();
  release.shift()?.();
  await done;
  expect({ most, runs }).toEqual({ most: 1, runs: 2 });
});

test('a fault is logged and retried, and the return to work is logged too', async () => {
  const stop = new AbortController();
  const { lines, logger } = recordingLogger();
  let runs = 0;
  const task = async () => {
    runs += 1;
    if (runs < 3) throw new Error('node unreachable');
  };
  const done = runLoop({ name: 'scan', intervalMs: 2, signal: stop.signal, logger, task });
  await vi.waitFor(() => expect(runs).toBeGreaterThan(3));
  stop.abort();
  await done;
  expect(lines.map((line) => [line.loop, line.msg, line.failures])).toEqual([
    ['scan', 'loop failed', 1],
    ['scan', 'loop failed', 2],
    ['scan', 'loop works again', 2],
  ]);
});

test('an abort ends a backoff at once, whatever woke the loop meanwhile', async () => {
  const stop = new AbortController();
  const waker = new Waker();
  const { lines, logger } = recordingLogger();
  let runs = 0;
  const task = async () => {
    runs += 1;
    throw new Error('down');
  };
  const done = runLoop({ name: 'a', intervalMs: FOREVER_MS, signal: stop.signal, logger, waker, task });
  await vi.waitFor(() => expect(lines).toHaveLength(1));
  waker.wake();
  stop.abort();
  await done;
  expect(runs).toBe(1);
});
