import fc from 'fast-check';
import { chainSteps } from './chain-steps';
import { customerSteps } from './customer-steps';
import type { ModelDatabases } from './databases';
import { LongRuns } from './long-runs';
import type { ClockedRole } from './machine-clocks';
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
  databases: ModelDatabases;
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
  const { databases, runs, steps, seed, timeLimitMs } = options;
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
    clockSkewSeconds: fc.record({ web: skew, watcher: skew, dispatcher: skew }),
    rules,
    otherRules: rules,
    isDevnet: fc.constantFrom(false, false, true),
    steps: histories,
  });
  const property = fc.asyncProperty(history, async ({ steps: commands, ...world }) => {
    await live(databases, { ...world, commands, tally });
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
  clockSkewSeconds: Readonly<Record<ClockedRole, number>>;
  rules: MerchantRules;
  otherRules: MerchantRules;
  isDevnet: boolean;
  commands: Iterable<Step>;
  tally: Tally;
}

async function live(databases: ModelDatabases, { seed, commands, tally, ...setting }: Life): Promise<void> {
  const world = await World.open({ databases, seed: String(seed), ...setting });
  const memory = newMemory();
  try {
    await fc.asyncModelRun(() => ({ model: memory, real: world }), commands);
    await settleDown(world, memory);
    tally.count(world.books, memory);
  } finally {
    await world.close();
  }
}
