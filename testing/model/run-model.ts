import fc from 'fast-check';
import type { TestDatabase } from '@/testing/test-database';
import { chainSteps } from './chain-steps';
import { customerSteps } from './customer-steps';
import { openModelDatabases } from './databases';
import { LongRuns } from './long-runs';
import type { ClockSkew } from './machine-clocks';
import { newMemory } from './memory';
import type { MerchantRules } from './merchant';
import { merchantSteps } from './merchant-steps';
import { paymentSteps } from './payment-steps';
import { settleDown } from './settle-down';
import type { Step } from './step';
import { Tally } from './tally';
import { workerSteps } from './worker-steps';
import { World } from './world';

/** Commands that may turn out not to be possible: no invoice yet, none with a coin. */
const SPARE = 15;

export interface ModelRunOptions {
  test: TestDatabase;
  /** Runs, each with its own seed and at least `steps` commands. */
  runs: number;
  steps: number;
  /** Repeats earlier runs; null draws a new one. A failure names it. */
  seed: number | null;
  /** After this long no new attempt to shrink begins. */
  timeLimitMs: number;
}

/**
 * Runs the product against its model: random histories of invoices, payments, reorgs, faults and restarts on a chain in
 * memory and a real database. Every command is followed by a check of all invariants.
 * @returns what happened in the runs, to see that they are not empty
 * @throws Error with seed and the shrunk history when an invariant does not hold
 */
export async function runModel(options: ModelRunOptions): Promise<Tally> {
  const { test, runs, steps, seed, timeLimitMs } = options;
  const tally = new Tally();
  const step = fc.oneof(...merchantSteps, ...customerSteps, ...paymentSteps, ...chainSteps, ...workerSteps);
  const histories = new LongRuns(fc.commands([step], { maxCommands: steps + 2 * SPARE, size: 'max' }), steps + SPARE);
  const rules = fc.record({
    latePolicy: fc.constantFrom<MerchantRules['latePolicy']>('review', 'review', 'accept'),
    toleranceBasisPoints: fc.constantFrom(0, 0, 100),
  });
  const skew = fc.constantFrom(0, 0, 0, 0, 90, -90, -600, 600);
  const history = fc.record({
    seed: fc.nat(),
    confirmations: fc.constantFrom(1, 3, 12),
    databaseSkewSeconds: skew,
    machineSkewSeconds: fc.record({ web: skew, watcher: skew, dispatcher: skew }),
    rules,
    otherRules: rules,
    isDevnet: fc.constantFrom(false, false, true),
    steps: histories,
  });
  const property = fc.asyncProperty(history, async ({ steps: commands, ...world }) => {
    await live(test, { ...world, commands, tally });
  });
  await fc.assert(property, {
    numRuns: runs,
    skipAllAfterTimeLimit: timeLimitMs,
    ...(seed !== null && { seed }),
  });
  return tally;
}

interface Life {
  seed: number;
  confirmations: number;
  databaseSkewSeconds: number;
  machineSkewSeconds: ClockSkew;
  rules: MerchantRules;
  otherRules: MerchantRules;
  isDevnet: boolean;
  commands: Iterable<Step>;
  tally: Tally;
}

async function live(test: TestDatabase, { seed, commands, tally, ...setting }: Life): Promise<void> {
  // Connections of its own: what a process remembers along with them would be of another world's time.
  const databases = openModelDatabases(test);
  const memory = newMemory();
  let world: World | undefined;
  try {
    world = await World.open({ databases, seed: String(seed), ...setting });
    const real = world;
    await fc.asyncModelRun(() => ({ model: memory, real }), commands);
    await settleDown(real, memory);
    tally.count(real.books, memory);
  } finally {
    await world?.close();
    await databases.close();
  }
}
