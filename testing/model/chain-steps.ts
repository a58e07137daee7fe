import fc from 'fast-check';
import type { ChainErrorReason } from '@/lib/chains/types';
import type { OrphanFate } from '@/testing/memory-reorg';
import { type Step, step } from './step';

const MINUTE = 60;
const DAY = 24 * 3600;

const mine = fc
  .record({ blocks: fc.integer({ min: 1, max: 15 }) })
  .map((args) => step('mine', args, async (world) => world.chain.mine(args.blocks)));

/** Time passes, with one block at its end or none: a chain that stands still. */
const wait = fc
  .record({ seconds: fc.constantFrom(1, MINUTE, 5 * MINUTE, 20 * MINUTE, 3600, 7 * 3600, DAY), mines: fc.boolean() })
  .map((args) =>
    step('wait', args, async (world) => {
      world.chain.advance(args.seconds);
      if (args.mines) world.chain.mine();
    }),
  );

const reorgOf = fc.record({
  depth: fc.oneof(
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 5 }) },
    { weight: 1, arbitrary: fc.integer({ min: 6, max: 30 }) },
  ),
  fate: fc.constantFrom<OrphanFate>('same place', 'last block', 'mempool', 'lost', 'mixed'),
  extraBlocks: fc.nat(3),
  isLate: fc.boolean(),
});

const reorg = fc.record({ reorg: reorgOf, looks: fc.boolean() }).map(({ reorg: args, looks }) =>
  step('reorg', { ...args, looks }, async (world) => {
    world.chain.reorg(args);
    if (looks) await world.tick();
  }),
);

const reorgWhileReading = reorgOf.map((args) =>
  step('reorgWhileReading', args, async (world) => {
    world.node.beforeNextScan(async () => world.chain.reorg(args));
    world.chain.mine();
    await world.tick();
  }),
);

const REASONS: ChainErrorReason[] = [
  'unreachable',
  'timeout',
  'rate_limited',
  'invalid_answer',
  'missing_block',
  'wrong_chain',
];

const breakNode = fc
  .record({ reason: fc.constantFrom(...REASONS), calls: fc.integer({ min: 1, max: 6 }) })
  .map((args) => step('nodeFails', args, async (world) => world.node.break({ kind: 'error', ...args })));

const lagNode = fc
  .record({ blocks: fc.integer({ min: 1, max: 8 }), calls: fc.integer({ min: 1, max: 8 }) })
  .map((args) => step('nodeLags', args, async (world) => world.node.break({ kind: 'lag', ...args })));

/** What chains and their nodes do. */
export const chainSteps: { arbitrary: fc.Arbitrary<Step>; weight: number }[] = [
  { weight: 6, arbitrary: mine },
  { weight: 4, arbitrary: wait },
  { weight: 6, arbitrary: reorg },
  { weight: 2, arbitrary: reorgWhileReading },
  { weight: 2, arbitrary: breakNode },
  { weight: 2, arbitrary: lagNode },
];
