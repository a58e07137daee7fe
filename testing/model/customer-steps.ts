import fc from 'fast-check';
import { checkPayment, checkPublicPayment } from '@/lib/invoices/check-payment';
import { chooseCoin } from '@/lib/invoices/choose-coin';
import { setInvoiceEmail } from '@/lib/invoices/set-invoice-email';
import { checkAnswer } from './check-answer';
import { codeOf } from './code-of';
import { type Memory, pick } from './memory';
import { refuseOnly } from './refuse-only';
import { type Step, step } from './step';
import { Violation } from './violation';
import { userIdOf } from './world';

const hasInvoice = (memory: Readonly<Memory>) => memory.invoices.length > 0;
const which = fc.nat(19);

const choose = fc.record({ invoice: which }).map((args) =>
  step(
    'chooseCoin',
    args,
    async (world, memory) => {
      const invoice = pick(memory.invoices, args.invoice);
      if (!invoice) return;
      await world.refreshRate();
      const stored = world.books.invoices.find(({ uuid }) => uuid === invoice.uuid);
      const isOver = world.clock() >= invoice.expiresAt || stored?.status !== 'pending';
      const chosen = await codeOf(chooseCoin(world.databases.web, invoice.uuid, 'ETH', world.clock));
      if ('code' in chosen)
        return refuseOnly(
          chosen.code,
          isOver ? ['invoice_not_payable'] : ['chain_unavailable', 'no_address_available'],
        );
      if (isOver && !invoice.priced) throw new Violation('a coin was chosen after the time', chosen.value);
      const { amountUnits, wallet } = chosen.value;
      const address = wallet?.address.toLowerCase() ?? '';
      if (invoice.priced && invoice.priced.address !== address)
        throw new Violation('a wallet is for ever', chosen.value);
      invoice.priced = { address, dueUnits: BigInt(amountUnits ?? 0) };
    },
    hasInvoice,
  ),
);

const giveEmail = fc.record({ invoice: which }).map((args) =>
  step(
    'setEmail',
    args,
    async (world, memory) => {
      const known = pick(memory.invoices, args.invoice);
      const stored = world.books.invoices.find(({ uuid }) => uuid === known?.uuid);
      if (!known || !stored) return;
      const email = `cliente${known.id}@example.com`;
      const given = await codeOf(setInvoiceEmail(world.databases.web, known.uuid, email, world.clock));
      const due = stored.status !== 'pending' ? 'invoice_not_payable' : stored.email ? 'email_already_set' : null;
      if (('code' in given ? given.code : null) !== due) throw new Violation('an email is given once', { given, due });
      if (due === null) memory.eventsBeforeEmail.set(known.uuid, stored.events.length);
    },
    hasInvoice,
  ),
);

const check = fc.record({ invoice: which, by: fc.constantFrom('customer' as const, 'owner' as const) }).map((args) =>
  step(
    'checkPayment',
    args,
    async (world, memory) => {
      const { web } = world.databases;
      const invoice = pick(memory.invoices, args.invoice);
      if (!invoice) return;
      const answer = await (args.by === 'customer'
        ? checkPublicPayment(web, invoice.uuid, world.clock)
        : checkPayment(web, userIdOf(world, invoice), invoice.uuid, world.clock));
      await world.inspect(memory);
      checkAnswer(answer, world.books, world.clock());
    },
    hasInvoice,
  ),
);

/** What customers do on the pay page, and the payment check of both sides. */
export const customerSteps: { arbitrary: fc.Arbitrary<Step>; weight: number }[] = [
  { weight: 4, arbitrary: choose },
  { weight: 3, arbitrary: giveEmail },
  { weight: 6, arbitrary: check },
];
