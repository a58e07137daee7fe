import { describe, expect, it } from 'vitest';
import { MemoryWindows } from './memory-windows';

describe('MemoryWindows', () => {
  it('counts per key in a window that begins with the first count', () => {
    const windows = new MemoryWindows(1_000, 10);
    expect(windows.add('a', 1, 5_000)).toEqual({ used: 1, endsAtMs: 6_000 });
    expect(windows.add('a', 1, 5_999)).toEqual({ used: 2, endsAtMs: 6_000 });
    expect(windows.add('b', 1, 5_999)).toEqual({ used: 1, endsAtMs: 6_999 });
    expect(windows.peek('a', 6_000)).toBeNull();
    expect(windows.add('a', 1, 6_000)).toEqual({ used: 1, endsAtMs: 7_000 });
  });

  it('takes counts back, never below zero', () => {
    const windows = new MemoryWindows(1_000, 10);
    windows.add('a', 1, 0);
    expect(windows.add('a', -1, 0).used).toBe(0);
    expect(windows.add('a', -1, 0).used).toBe(0);
    expect(windows.add('b', -1, 0).used).toBe(0);
  });

  it('holds no more keys than it may, whoever comes; those that began first go', () => {
    const windows = new MemoryWindows(1_000, 100);
    for (let n = 0; n < 10_000; n++) windows.add(`key ${n}`, 1, 0);
    expect(windows.size).toBe(100);
    expect(windows.peek('key 9899', 0)).toBeNull();
    expect(windows.peek('key 9900', 0)?.used).toBe(1);
  });

  it('lets go of windows that are over when new ones begin', () => {
    const windows = new MemoryWindows(1_000, 100);
    for (let n = 0; n < 50; n++) windows.add(`key ${n}`, 1, 0);
    windows.add('late', 1, 1_000);
    expect(windows.size).toBe(1);
  });

  it('takes as long for the last key of many as for the first', () => {
    const time = (keys: number) => {
      const windows = new MemoryWindows(1_000, 1_000);
      const startedAt = performance.now();
      for (let n = 0; n < keys; n++) windows.add(`key ${n}`, 1, 0);
      return performance.now() - startedAt;
    };
    // The best of some: a machine with other work stops each of them now and then.
    const best = (keys: number) => Math.min(...Array.from({ length: 5 }, () => time(keys)));
    expect(best(80_000)).toBeLessThan(60 * Math.max(1, best(5_000)));
  });
});
