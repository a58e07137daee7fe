import fc from 'fast-check';
import { CreateInvoiceBody } from '@/lib/api-schema/invoices';
import { attachDeposit } from '@/lib/deposits/unattributed';
import { checkPayment } from '@/lib/invoices/check-payment';
import { createInvoice } from '@/lib/invoices/create-invoice';
import { forcePayment } from '@/lib/invoices/force-payment';
import { resolveInvoice } from '@/lib/invoices/resolve-invoice';
import { EXPIRY_MINUTES } from '@/lib/shared/limits';
import { checkForce } from './check-force';
import { codeOf } from './code-of';
import { type Memory, pick } from './memory';
import { refuseOnly } from './refuse-only';
import { type Step, step } from './step';
import { Violation } from './violation';
import { userIdOf, type World } from './world';

const hasInvoice = (memory: Readonly<Memory>) => memory.invoices.length > 0;
const which = fc.nat(19);
/** Less than this is below the threshold of a forced payment. */
const LEAST_TO_FORCE_CENTS = 300;

const create = fc
  .record({
    cents: fc.oneof(fc.integer({ min: 20, max: LEAST_TO_FORCE_CENTS }), fc.integer({ min: 500, max: 50_000 })),
    minutes: fc.constantFrom(...EXPIRY_MINUTES),
    hasCoin: fc.boolean(),
    key: fc.nat(4),
    merchant: fc.constantFrom<0 | 1>(0, 0, 1),
  })
  .map((args) => step('create', args, (world, memory) => createIn(world, memory, args)));

interface Creation {
  cents: number;
  minutes: number;
  hasCoin: boolean;
  key: number;
  merchant: 0 | 1;
}

async function createIn(
  world: World,
  memory: Memory,
  { cents, minutes, hasCoin, key, merchant }: Creation,
): Promise<void> {
  await world.refreshRate();
  const body = CreateInvoiceBody.parse({
    amountEuro: cents / 100,
    expiryMinutes: minutes,
    cryptoType: hasCoin ? 'ETH' : null,
  });
  const { userId, keyIds } = world.merchants[merchant];
  const owner = { userId, apiKeyId: pick(keyIds, key) ?? null };
  const made = await codeOf(createInvoice(world.databases.web, owner, body, world.clock));
  if ('code' in made) return refuseOnly(made.code, hasCoin ? ['chain_unavailable', 'no_address_available'] : []);
  const { id, uuid, expiryDate, amountUnits, wallet } = made.value;
  const priced =
    wallet && amountUnits ? { address: wallet.address.toLowerCase(), dueUnits: BigInt(amountUnits) } : null;
  memory.invoices.push({ merchant, id, uuid, expiresAt: new Date(expiryDate), priced });
}

const force = fc.record({ invoice: which }).map((args) =>
  step(
    'force',
    args,
    async (world, memory) => {
      const invoice = pick(memory.invoices, args.invoice);
      if (!invoice) return;
      const before = world.books;
      const answer = await codeOf(
        forcePayment(world.databases.web, userIdOf(world, invoice), invoice.uuid, world.clock),
      );
      checkForce(invoice.uuid, before, answer);
      if ('value' in answer && answer.value.status === 'forcePaid') memory.forced.add(invoice.uuid);
    },
    hasInvoice,
  ),
);

/** The other merchant asks for an invoice by its uuid: it does not exist for them, and nothing happens to it. */
const pry = fc.record({ invoice: which }).map((args) =>
  step(
    'pry',
    args,
    async (world, { invoices }) => {
      const invoice = pick(invoices, args.invoice);
      if (!invoice) return;
      const { userId } = world.merchants[invoice.merchant === 0 ? 1 : 0];
      const { web } = world.databases;
      const tries = [
        forcePayment(web, userId, invoice.uuid, world.clock),
        checkPayment(web, userId, invoice.uuid, world.clock),
        resolveInvoice(web, userId, invoice.uuid, { action: 'accept', note: null }, world.clock),
      ];
      for (const answer of await Promise.all(tries.map((asked) => codeOf<unknown>(asked))))
        if (!('code' in answer) || answer.code !== 'not_found')
          throw new Violation("another merchant's invoice does not exist", { invoice, answer });
    },
    hasInvoice,
  ),
);

const RESOLUTIONS = ['accept', 'mark', 'note'] as const;

const resolve = fc.record({ invoice: which, action: fc.constantFrom(...RESOLUTIONS) }).map((args) =>
  step(
    'resolve',
    args,
    async (world, memory) => {
      const known = pick(memory.invoices, args.invoice);
      const stored = world.books.invoices.find(({ uuid }) => uuid === known?.uuid);
      if (!known || !stored) return;
      const body = { action: args.action, note: null };
      const { web } = world.databases;
      const answer = await codeOf(resolveInvoice(web, userIdOf(world, known), known.uuid, body, world.clock));
      const isOpen = stored.resolvedAt === null && ['late', 'overpaid'].includes(stored.paymentState);
      const due = args.action === 'note' || isOpen ? null : 'nothing_to_resolve';
      if (('code' in answer ? answer.code : null) !== due)
        throw new Violation('what may be resolved', { stored, answer });
      if (due !== null || stored.paymentState !== 'late') return;
      if (args.action === 'accept') memory.accepted.add(known.uuid);
      if (args.action === 'mark') memory.refused.add(known.uuid);
    },
    hasInvoice,
  ),
);

/** The operator finds the owner of money that nobody expected. */
const attach = fc.record({ deposit: which, invoice: which }).map((args) =>
  step('attach', args, async (world, memory) => {
    const lost = world.books.deposits.filter(({ walletId, isOrphaned }) => walletId === null && !isOrphaned);
    const deposit = pick(lost, args.deposit);
    const invoice = pick(
      world.books.invoices.filter(({ walletId }) => walletId !== null),
      args.invoice,
    );
    if (!deposit || invoice?.walletId == null) return;
    const attachment = { depositId: deposit.id, target: invoice.uuid, operator: 'anna', note: null };
    const answer = await codeOf(attachDeposit(world.databases.web, attachment));
    // What lay on a chain that was replaced is nobody's any more.
    const isHere = deposit.epoch === world.books.cursor?.epoch;
    if ('code' in answer) return refuseOnly(answer.code, isHere ? [] : ['not_unattributed']);
    if (!isHere) throw new Violation('money of a replaced chain has no owner', deposit);
    memory.attached.set(deposit.id, invoice.walletId);
  }),
);

/** What merchants and the operator do. */
export const merchantSteps: { arbitrary: fc.Arbitrary<Step>; weight: number }[] = [
  { weight: 9, arbitrary: create },
  { weight: 5, arbitrary: force },
  { weight: 3, arbitrary: resolve },
  { weight: 1, arbitrary: attach },
  { weight: 1, arbitrary: pry },
];
