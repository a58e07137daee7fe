import fc from 'fast-check';
import type { ChainErrorReason } from '@/lib/chains/types';
import type { OrphanFate } from '@/testing/memory-reorg';
import { pick } from './memory';
import { type Step, step } from './step';

const MINUTE = 60;
const DAY = 24 * 3600;
/** Of the Ethereum chain's definition. */
const TOLERATED_LAG = 2;
/** Less than what is final. */
const DEEPEST = 50;

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
  .map((args) =>
    step('nodeLags', args, async (world) => {
      // A devnet's head that stays lower is a devnet that was replaced.
      const blocks = world.isDevnet ? Math.min(args.blocks, TOLERATED_LAG) : args.blocks;
      world.node.break({ kind: 'lag', ...args, blocks });
    }),
  );

/** A payment that had paid its invoice is gone with its block, and a day later it still is. */
const loseForGood = fc.record({ deposit: fc.nat(19) }).map((args) =>
  step('loseForGood', args, async (world, memory) => {
    const { cursor, deposits, invoices } = world.books;
    const paid = invoices.filter((invoice) => invoice.status === 'paid' && invoice.chainEpoch === cursor?.epoch);
    const counting = deposits.filter(({ walletId, isOrphaned, epoch, height }) => {
      const depth = world.chain.height - Number(height) + 1;
      return (
        paid.some((own) => own.walletId === walletId) && !isOrphaned && epoch === cursor?.epoch && depth <= DEEPEST
      );
    });
    const payment = pick(counting, args.deposit);
    if (!payment) return;
    world.node.heal();
    await world.catchUp();
    const depth = world.chain.height - Number(payment.height) + 1;
    world.chain.reorg({ depth, fate: 'lost', extraBlocks: 1, isLate: false });
    await world.catchUp();
    await world.inspect(memory);
    world.chain.advance(DAY + MINUTE);
    world.chain.mine();
    await world.catchUp();
    await world.expire();
    memory.happened.add('payment lost for good');
  }),
);

/** A devnet is started anew. */
const replace = fc.constant(
  step('replace', {}, async (world, memory) => {
    if (!world.isDevnet) return;
    await world.replaceChain((invoices) => {
      for (const { uuid, status, chainEpoch } of invoices)
        if (chainEpoch !== null && !memory.atReplacement.has(uuid)) memory.atReplacement.set(uuid, status);
    });
    memory.happened.add('chain replaced');
  }),
);

/** What chains and their nodes do. */
export const chainSteps: { arbitrary: fc.Arbitrary<Step>; weight: number }[] = [
  { weight: 6, arbitrary: mine },
  { weight: 4, arbitrary: wait },
  { weight: 6, arbitrary: reorg },
  { weight: 2, arbitrary: reorgWhileReading },
  { weight: 2, arbitrary: breakNode },
  { weight: 2, arbitrary: lagNode },
  { weight: 1, arbitrary: loseForGood },
  { weight: 1, arbitrary: replace },
];
