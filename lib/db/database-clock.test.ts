import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DatabaseClock, DatabaseTimeUnknown, startDatabaseClock } from './database-clock';
import { isDatabaseDown } from './database-down';

const START = Date.parse('2026-11-27T12:00:00Z');
/** True time and the machine's wrong one; what the database says, and how long it takes to say it. */
let machine: { trueMs: number; wallMs: number };
let database: { aheadMs: number; thereMs: number; backMs: number; isDown: boolean };
let asked: number;
let refused: number;

beforeEach(() => {
  machine = { trueMs: START, wallMs: START - 600_000 };
  database = { aheadMs: 0, thereMs: 1, backMs: 1, isDown: false };
  asked = 0;
  refused = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = (ms: number) => {
  machine.trueMs += ms;
  machine.wallMs += ms;
};
const client = {
  query: async () => {
    asked += 1;
    pass(database.thereMs);
    const ms = String(machine.trueMs + database.aheadMs);
    pass(database.backMs);
    return { rows: [{ ms }] };
  },
  release: () => undefined,
};
const pool = {
  ended: false,
  on: () => undefined,
  connect: async () => {
    if (database.isDown) {
      refused += 1;
      throw Object.assign(new Error('down'), { code: 'ECONNREFUSED' });
    }
    return client;
  },
};
const clockOf = () =>
  new DatabaseClock({ pool } as never, { monotonicMs: () => machine.trueMs - START, wallMs: () => machine.wallMs });
const errorOf = (clock: DatabaseClock) => clock.now().getTime() - machine.trueMs - database.aheadMs;

describe('the clock of a process', () => {
  test('tells no time before the database has said it, and that is a database that is down', async () => {
    const clock = clockOf();
    expect(() => clock.now()).toThrow(DatabaseTimeUnknown);
    expect(isDatabaseDown(new DatabaseTimeUnknown())).toBe(true);
    await clock.measure();
    expect(errorOf(clock)).toBe(0);
  });

  test.each([-600_000, -90_000, 90_000, 600_000])(
    'tells the database’s time on a machine that is %i ms off, also after its clock jumps while it runs',
    async (offMs) => {
      machine.wallMs = machine.trueMs + offMs;
      const clock = clockOf();
      await clock.measure();
      pass(30_000);
      expect(errorOf(clock)).toBe(0);
      machine.wallMs -= 3 * offMs;
      expect(errorOf(clock)).toBe(0);
    },
  );

  test('goes by the answer with the shortest way, whichever way was slow', async () => {
    const clock = clockOf();
    database.thereMs = 401;
    await clock.measure();
    expect(errorOf(clock)).toBe(200);
    Object.assign(database, { thereMs: 2, backMs: 2 });
    await clock.measure();
    Object.assign(database, { thereMs: 0, backMs: 300 });
    await clock.measure();
    expect(errorOf(clock)).toBe(0);
  });

  test.each([-3_600_000, 40])('follows a database whose clock is set, or another server, %i ms away', async (ms) => {
    const clock = clockOf();
    await clock.measure();
    database.aheadMs = ms;
    Object.assign(database, { thereMs: 3, backMs: 3 });
    await clock.measure();
    expect(errorOf(clock)).toBe(0);
  });

  test('asks once for all who ask at the same time', async () => {
    const clock = clockOf();
    await Promise.all([clock.measure(), clock.measure(), clock.ready()]);
    expect(asked).toBe(1);
  });
});

describe('before a request is served', () => {
  test('a machine that slept, or whose clock was set, is measured again; else nothing is asked', async () => {
    const clock = clockOf();
    await clock.ready();
    pass(3_600_000);
    await clock.ready();
    expect(asked).toBe(1);
    // Asleep: the monotonic clock stood still for an hour, the machine's and the database's did not.
    database.aheadMs += 3_600_000;
    machine.wallMs += 3_600_000;
    await clock.ready();
    expect([asked, errorOf(clock)]).toEqual([2, 0]);
  });

  test('a doubtful time that the database does not settle is none', async () => {
    const clock = clockOf();
    await clock.ready();
    machine.wallMs += 1_000;
    database.isDown = true;
    await clock.ready();
    expect(() => clock.now()).toThrow(DatabaseTimeUnknown);
  });
});

describe('a process that starts', () => {
  test('waits for the time, says so once, and begins when the database answers', async () => {
    database.isDown = true;
    const stop = new AbortController();
    const warn = vi.fn();
    const started = startDatabaseClock({ pool } as never, { signal: stop.signal, logger: { warn } });
    let isStarted = false;
    void started.then(() => {
      isStarted = true;
    });
    await vi.waitFor(() => expect(refused).toBeGreaterThan(1), 5_000);
    expect([isStarted, warn.mock.calls.length]).toEqual([false, 1]);
    database.isDown = false;
    expect((await started)().getTime()).toBeGreaterThan(START);
    stop.abort();
  });

  test('that is told to stop meanwhile waits no longer', async () => {
    database.isDown = true;
    const stop = new AbortController();
    const started = startDatabaseClock({ pool } as never, { signal: stop.signal, logger: { warn: () => undefined } });
    stop.abort();
    await expect(started).resolves.toBeTypeOf('function');
  });

  test('measures again every few seconds until it stops', async () => {
    vi.useFakeTimers();
    const stop = new AbortController();
    await startDatabaseClock({ pool } as never, { signal: stop.signal, logger: { warn: () => undefined } });
    await vi.advanceTimersByTimeAsync(11_000);
    expect(asked).toBe(3);
    stop.abort();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toBe(3);
  });
});
