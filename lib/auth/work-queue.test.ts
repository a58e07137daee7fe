import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Lane, WorkQueue } from './work-queue';

/** Work that ends when it is told to. */
function controlled(queue: WorkQueue) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (lane: Lane, name: string) =>
    queue.run(lane, () => {
      started.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await turn();
  };
  return { started, run, end };
}

describe('WorkQueue', () => {
  it('runs no more at once than it may, in the order of arrival', async () => {
    const { started, run, end } = controlled(new WorkQueue({ atOnce: 2, waiting: 10 }));
    const all = ['a', 'b', 'c', 'd'].map((name) => run('strangers', name));
    await turn();
    expect(started).toEqual(['a', 'b']);
    await end('b');
    expect(started).toEqual(['a', 'b', 'c']);
    for (const name of ['a', 'c', 'd']) await end(name);
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('refuses what would wait too long, at once and with a time to come back', async () => {
    const { started, run, end } = controlled(new WorkQueue({ atOnce: 1, waiting: 2 }));
    const all = ['a', 'b', 'c'].map((name) => run('strangers', name));
    await expect(run('strangers', 'd')).rejects.toMatchObject({ code: 'too_busy', status: 503, retryAfterSeconds: 2 });
    for (const name of ['a', 'b', 'c']) await end(name);
    await Promise.all(all);
    expect(started).toEqual(['a', 'b', 'c']);
  });

  it('serves who is known before all strangers, who cannot take their room', async () => {
    const { started, run, end } = controlled(new WorkQueue({ atOnce: 1, waiting: 2 }));
    const all = ['a', 'b', 'c'].map((name) => run('strangers', name));
    all.push(run('known', 'owner'));
    for (const name of ['a', 'owner', 'b', 'c']) await end(name);
    await Promise.all(all);
    expect(started).toEqual(['a', 'owner', 'b', 'c']);
  });

  it('goes on after work that failed', async () => {
    const queue = new WorkQueue({ atOnce: 1, waiting: 1 });
    await expect(queue.run('known', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await queue.run('known', async () => 1)).toBe(1);
  });
});
