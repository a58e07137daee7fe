import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { runModel } from '@/testing/model/run-model';
import { stubWebEnvironment } from '@/testing/stub-web-environment';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';

const STEPS = 100;
/** A run takes a second on a quiet machine. */
const MS_PER_RUN = 6_000;
const MS_TO_SHRINK = 180_000;
/** What must have happened somewhere in the runs, or they say nothing. */
const EVENTS_OF_50_RUNS = [
  'pending>paid',
  'pending>expired',
  'pending>forcePaid',
  'expired>forcePaid',
  'expired>paid',
  'paid>pending',
  'paid settled',
  'paid overpaid',
  'expired late',
  'expired partial',
  'expired unpaid',
  'forcePaid settled',
  'deposit of nobody',
  'deposit orphaned',
  'watcher down',
  'payment lost for good',
  'chain replaced',
];

const { runs, seed } = inject('model');
const timeLimitMs = runs * MS_PER_RUN;

describe('settlement against its model', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
    stubWebEnvironment(test.roleUrl('web'), { ETH_RPC_URL: 'http://127.0.0.1:1' });
  });
  afterAll(async () => {
    await test.drop();
    vi.unstubAllEnvs();
  });

  it(
    `[B1] [B3] [B4] [C3] [C4] [C5] holds I1 to I7 after every step of ${runs} random histories`,
    async () => {
      const tally = await runModel({
        test,
        runs,
        steps: STEPS,
        timeLimitMs: timeLimitMs + MS_TO_SHRINK,
        seed,
      });
      expect(tally.steps).toBeGreaterThanOrEqual(runs * STEPS);
      if (runs >= 50) expect([...tally.byOutcome.keys()]).toEqual(expect.arrayContaining(EVENTS_OF_50_RUNS));
    },
    timeLimitMs + 2 * MS_TO_SHRINK,
  );
});
