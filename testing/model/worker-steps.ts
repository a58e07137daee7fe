import fc from 'fast-check';
import { checkPayment, checkPublicPayment } from '@/lib/invoices/check-payment';
import { forcePayment } from '@/lib/invoices/force-payment';
import { codeOf } from './code-of';
import { pick } from './memory';
import { type Step, step } from './step';
import { Violation } from './violation';
import { beWithoutWatcher } from './without-watcher';
import { userIdOf } from './world';

const look = fc.constant(
  step('look', {}, async (world, memory) => {
    if (!world.isReadable) return world.tick();
    await world.catchUp();
    await world.inspect(memory);
    if (world.books.queued.length > 0) throw new Violation('a look leaves nothing undecided', world.books);
  }),
);

const staleLook = fc.constant(step('lookWithoutLease', {}, (world) => world.watchers.tick('other')));

const restart = fc
  .record({ death: fc.constantFrom('gentle' as const, 'before commit' as const, 'before drain' as const) })
  .map((args) => step('restart', args, (world) => world.watchers.restart(args.death)));

const takeOver = fc.constant(step('takeOver', {}, (world) => world.watchers.takeOver()));

/** The lease is taken while its holder waits for the node's blocks: what it read must not count. */
const takeOverWhileReading = fc.constant(
  step('takeOverWhileReading', {}, async (world) => {
    world.node.beforeNextScan(() => world.watchers.takeOver());
    world.chain.mine();
    await world.tick();
  }),
);

const expire = fc.constant(
  step('expire', {}, async (world, memory) => {
    await world.expire();
    await world.inspect(memory, { isExpiryDone: true });
  }),
);

const fillPool = fc
  .record({ count: fc.integer({ min: 1, max: 6 }) })
  .map((args) => step('addToPool', args, (world) => world.addToPool(args.count)));

/** Everybody at once on one invoice. */
const rush = fc.record({ invoice: fc.nat(19), forces: fc.boolean() }).map((args) =>
  step('everybodyAtOnce', args, async (world, memory) => {
    const { web } = world.databases;
    const known = pick(memory.invoices, args.invoice);
    const uuid = known?.uuid;
    const userId = known ? userIdOf(world, known) : 0;
    const customer = uuid ? checkPublicPayment(web, uuid, world.clock) : undefined;
    const owner = uuid ? checkPayment(web, userId, uuid, world.clock) : undefined;
    const forcing = uuid && args.forces ? codeOf(forcePayment(web, userId, uuid, world.clock)) : undefined;
    const [forced] = await Promise.all([forcing, customer, owner, world.tick(), world.expire()]);
    if (uuid && forced && 'value' in forced && forced.value.status === 'forcePaid') memory.forced.add(uuid);
  }),
);

/** No watcher reads for a while, or looks away for less than counts. */
const outage = fc.record({ seconds: fc.constantFrom(30, 120, 600, 7_200, 100_000) }).map((args) =>
  step('outage', args, async (world, memory) => {
    const known = await beWithoutWatcher(world, args.seconds);
    if (!known) return;
    memory.outages.push(known);
    memory.happened.add('watcher down');
  }),
);

/** What the product's own processes do. */
export const workerSteps: { arbitrary: fc.Arbitrary<Step>; weight: number }[] = [
  { weight: 14, arbitrary: look },
  { weight: 1, arbitrary: staleLook },
  { weight: 2, arbitrary: restart },
  { weight: 2, arbitrary: takeOver },
  { weight: 1, arbitrary: takeOverWhileReading },
  { weight: 4, arbitrary: expire },
  { weight: 3, arbitrary: fillPool },
  { weight: 3, arbitrary: rush },
  { weight: 1, arbitrary: outage },
];
