import fc from 'fast-check';
import { CHAIN_INFO } from '@/lib/shared/chains';
import { COIN_INFO } from '@/lib/shared/coins';
import { smallestShownUnits } from '@/lib/shared/money';
import { addSeconds } from '@/lib/shared/time';
import { type KnownInvoice, type Memory, pick } from './memory';
import { type Step, step } from './step';
import type { World } from './world';

const SHOWN = smallestShownUnits('ETH');
const GRACE_SECONDS = CHAIN_INFO.ethereum.inclusionGraceSeconds;

/** How much is paid, from what is due. */
const AMOUNTS = {
  exact: (due: bigint) => due,
  'a unit short': (due: bigint) => due - SHOWN,
  'less than a shown unit short': (due: bigint) => due - SHOWN + 1n,
  'one percent short': (due: bigint) => due - due / 100n,
  'two percent short': (due: bigint) => due - due / 50n,
  half: (due: bigint) => due / 2n + 1n,
  'one wei': () => 1n,
  'a unit over': (due: bigint) => due + SHOWN,
  'less than dust over': (due: bigint) => due + COIN_INFO.ETH.dustUnits - 1n,
  'dust over': (due: bigint) => due + COIN_INFO.ETH.dustUnits,
  double: (due: bigint) => due * 2n,
  huge: () => 2n ** 200n,
} as const;
type Amount = keyof typeof AMOUNTS;

const priced = (memory: Readonly<Memory>) => memory.invoices.filter((invoice) => invoice.priced !== null);
const hasPriced = (memory: Readonly<Memory>) => priced(memory).length > 0;
const which = fc.nat(19);
const amount = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Amount>('exact') },
  { weight: 3, arbitrary: fc.constantFrom<Amount>('half') },
  { weight: 4, arbitrary: fc.constantFrom(...(Object.keys(AMOUNTS) as Amount[])) },
);

function pay(world: World, invoice: KnownInvoice | undefined, kind: Amount, succeeds = true): void {
  if (!invoice?.priced) return;
  const { address, dueUnits } = invoice.priced;
  world.chain.send({ to: address, amountUnits: AMOUNTS[kind](dueUnits), succeeds });
}

const payOnce = fc.record({ invoice: which, amount, blocks: fc.nat(3) }).map((args) =>
  step(
    'pay',
    args,
    async (world, memory) => {
      pay(world, pick(priced(memory), args.invoice), args.amount);
      world.chain.mine(args.blocks);
    },
    hasPriced,
  ),
);

const payAndLook = fc.record({ invoice: which, amount, blocks: fc.integer({ min: 1, max: 4 }) }).map((args) =>
  step(
    'payAndLook',
    args,
    async (world, memory) => {
      pay(world, pick(priced(memory), args.invoice), args.amount);
      world.chain.mine(args.blocks);
      await world.tick();
    },
    hasPriced,
  ),
);

const payTwice = fc.record({ invoice: which, inOneBlock: fc.boolean() }).map((args) =>
  step(
    'payTwice',
    args,
    async (world, memory) => {
      const invoice = pick(priced(memory), args.invoice);
      pay(world, invoice, 'exact');
      if (!args.inOneBlock) world.chain.mine();
      pay(world, invoice, 'exact');
      world.chain.mine();
    },
    hasPriced,
  ),
);

/** Waits for the end of the time, to the second, and pays then: on the last second of the grace, right after it, or later. */
const payAtTheEnd = fc
  .record({
    invoice: which,
    amount: fc.constantFrom<Amount>('exact', 'half', 'double'),
    secondsAfterGrace: fc.constantFrom(-GRACE_SECONDS, -1, 0, 1, 3_600),
    looks: fc.boolean(),
  })
  .map((args) =>
    step(
      'payAtTheEnd',
      args,
      async (world, memory) => {
        const invoice = pick(priced(memory), args.invoice);
        if (!invoice) return;
        pay(world, invoice, args.amount);
        world.chain.mineAt(addSeconds(invoice.expiresAt, GRACE_SECONDS + args.secondsAfterGrace));
        if (args.looks) await world.tick();
      },
      hasPriced,
    ),
  );

const payReverted = fc.record({ invoice: which }).map((args) =>
  step(
    'payReverted',
    args,
    async (world, memory) => {
      pay(world, pick(priced(memory), args.invoice), 'exact', false);
      world.chain.mine();
    },
    hasPriced,
  ),
);

const payStranger = fc.record({ address: fc.nat(40), wei: fc.bigInt(1n, 10n ** 18n) }).map((args) =>
  step('payAnyAddress', args, async (world) => {
    const to = pick([...world.addresses], args.address);
    if (to) world.chain.send({ to, amountUnits: args.wei });
    world.chain.mine();
  }),
);

const topUp = fc.record({ wei: fc.bigInt(1n, 10n ** 18n) }).map((args) =>
  step('topUp', args, async (world) => {
    world.chain.send({ to: world.primaryAddress, amountUnits: args.wei });
    world.chain.mine();
  }),
);

/** What payers do. */
export const paymentSteps: { arbitrary: fc.Arbitrary<Step>; weight: number }[] = [
  { weight: 9, arbitrary: payOnce },
  { weight: 7, arbitrary: payAndLook },
  { weight: 2, arbitrary: payTwice },
  { weight: 3, arbitrary: payAtTheEnd },
  { weight: 1, arbitrary: payReverted },
  { weight: 2, arbitrary: payStranger },
  { weight: 1, arbitrary: topUp },
];
