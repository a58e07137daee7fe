import { expect, test, vi } from 'vitest';
import { supervise } from './supervise';

function withResolvers() {
  let resolve: (how: string) => void = () => undefined;
  const promise = new Promise<string>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Something that runs until `end` is called. */
function runner() {
  const started: { end: () => void; stopped: boolean }[] = [];
  const start = async () => {
    const { promise: ended, resolve } = withResolvers();
    const entry = { end: () => resolve('code 1'), stopped: false };
    started.push(entry);
    const stop = async () => {
      entry.stopped = true;
      entry.end();
    };
    return { pid: started.length, ended, stop };
  };
  return { started, start };
}

test('what ends by itself is started again, and told', async () => {
  const { started, start } = runner();
  const lines: string[] = [];
  const service = await supervise('watcher', start, (line) => lines.push(line), 1);
  started[0]?.end();
  await vi.waitFor(() => expect(started).toHaveLength(2));
  expect(lines[0]).toContain('watcher ended by itself (code 1)');
  expect(service.pid()).toBe(2);
  await service.stop();
  expect(started[1]?.stopped).toBe(true);
});

test('what is stopped stays stopped, also during the pause before a restart', async () => {
  const { started, start } = runner();
  const service = await supervise('watcher', start, () => undefined, 60_000);
  started[0]?.end();
  await service.stop();
  expect(started).toHaveLength(1);
});

test('a restart that fails is tried again; a first start that fails is the caller’s', async () => {
  const { started, start } = runner();
  let calls = 0;
  const flaky = async () => {
    calls += 1;
    if (calls === 2) throw new Error('port taken');
    return start();
  };
  const lines: string[] = [];
  const service = await supervise('devnet', flaky, (line) => lines.push(line), 1);
  started[0]?.end();
  await vi.waitFor(() => expect(started).toHaveLength(2));
  expect(lines).toContain('devnet did not start: port taken');
  await service.stop();
  await expect(
    supervise(
      'web',
      () => Promise.reject(new Error('no')),
      () => undefined,
    ),
  ).rejects.toThrow('no');
});
