import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DepositFact } from '@/lib/invoices/counted-money';
import { type ChainFacts, type Decision, decide } from '@/lib/invoices/state';
import { addSeconds } from '@/lib/shared/time';
import type { AuditedInvoice } from './invoice-facts-repository';
import { judgeInvoice } from './judge-invoice';

const NOW = new Date('2026-03-01T12:00:00Z');
const DUE = 10n ** 16n;
const CHAIN: ChainFacts = { height: 100n, time: NOW, epoch: 0, confirmedHeight: 99n };

const invoice = (changes: Partial<AuditedInvoice> = {}): AuditedInvoice => ({
  uuid: 'u',
  status: 'pending',
  paymentState: 'unpaid',
  expiresAt: addSeconds(NOW, 3600),
  downtimeSeconds: 0,
  toleranceBasisPoints: 0,
  reversedAt: null,
  paidAt: null,
  priced: { coin: 'ETH', chain: 'ethereum', dueUnits: DUE, chainEpoch: 0 },
  amountPaidUnits: 0n,
  amountConfirmedUnits: 0n,
  amountReceivedUnits: 0n,
  acceptsLate: false,
  takesLateFrom: null,
  isQueued: false,
  announcedStatus: changes.status ?? 'pending',
  deposits: [],
  ...changes,
});

const payment = (changes: Partial<DepositFact> = {}): DepositFact => ({
  amountUnits: DUE,
  blockHeight: 50n,
  blockTime: addSeconds(NOW, -600),
  seenAt: addSeconds(NOW, -600),
  extraConfirmations: 0,
  orphaned: false,
  bookedAt: null,
  ...changes,
});

/** The invoice as a settlement stores it. */
function settled(before: AuditedInvoice): AuditedInvoice {
  const after: Decision = decide(before, before.deposits, CHAIN, NOW);
  return {
    ...before,
    ...after,
    acceptsLate: before.acceptsLate || after.usesLate,
    announcedStatus: after.status,
  };
}

const deposits = fc.array(
  fc.record({
    amountUnits: fc.bigInt({ min: 1n, max: 2n * DUE }),
    blockHeight: fc.bigInt({ min: 1n, max: 101n }),
    blockTime: fc.integer({ min: -9000, max: 9000 }).map((seconds) => addSeconds(NOW, seconds)),
    seenAt: fc.constant(NOW),
    extraConfirmations: fc.constant(0),
    orphaned: fc.boolean(),
    bookedAt: fc.option(fc.integer({ min: -9000, max: 0 }).map((seconds) => addSeconds(NOW, seconds))),
  }),
  { maxLength: 4 },
);

test('[I6] whatever was paid, an invoice that was settled from the facts agrees with them', () => {
  const facts = fc.record({
    deposits,
    status: fc.constantFrom('pending' as const, 'paid' as const, 'expired' as const),
    expiresAt: fc.integer({ min: -9000, max: 9000 }).map((seconds) => addSeconds(NOW, seconds)),
    takesLateFrom: fc.option(fc.integer({ min: -9000, max: 0 }).map((seconds) => addSeconds(NOW, seconds))),
  });
  fc.assert(
    fc.property(facts, (changes) => {
      expect(judgeInvoice(settled(invoice(changes)), CHAIN, NOW)).toBe('agrees');
    }),
  );
});

test('[I6] another status than the facts decide is a difference, whatever was paid', () => {
  fc.assert(
    fc.property(deposits, fc.constantFrom('pending' as const, 'paid' as const), (paid, status) => {
      const right = settled(invoice({ deposits: paid, expiresAt: addSeconds(NOW, 86_400) }));
      const wrong = { ...right, status, announcedStatus: status };
      if (right.status === status) expect(judgeInvoice(wrong, CHAIN, NOW)).toBe('agrees');
      else expect(judgeInvoice(wrong, CHAIN, NOW)).toMatchObject({ kind: 'invoice' });
    }),
  );
});

test('a settlement that is queued makes another state late work, but never another history', () => {
  const unsettled = invoice({ deposits: [payment()] });
  expect(judgeInvoice(unsettled, CHAIN, NOW)).toMatchObject({ kind: 'invoice', units: DUE });
  expect(judgeInvoice({ ...unsettled, isQueued: true }, CHAIN, NOW)).toBe('late');
  expect(judgeInvoice({ ...unsettled, isQueued: true, announcedStatus: 'paid' }, CHAIN, NOW)).toMatchObject({
    kind: 'history',
    expected: 'last announced as paid',
    actual: 'pending',
  });
});

test('an expiry of the last minutes is late work, one that was forgotten is a difference', () => {
  const expired = (secondsAgo: number) => invoice({ expiresAt: addSeconds(NOW, -secondsAgo) });
  expect(judgeInvoice(expired(50), CHAIN, NOW)).toBe('agrees');
  expect(judgeInvoice(expired(100), CHAIN, NOW)).toBe('late');
  expect(judgeInvoice(expired(3600), CHAIN, NOW)).toMatchObject({
    expected: 'status expired',
    actual: 'status pending',
  });
  expect(judgeInvoice({ ...expired(3600), downtimeSeconds: 3600 }, CHAIN, NOW)).toBe('agrees');
  const unpriced = (secondsAgo: number) => judgeInvoice({ ...expired(secondsAgo), priced: null }, CHAIN, NOW);
  expect([unpriced(100), unpriced(3600)]).toMatchObject(['late', { kind: 'invoice' }]);
});

test('a policy that the owner changed afterwards is late work', () => {
  const expiresAt = addSeconds(NOW, -7200);
  const late = settled(invoice({ expiresAt, status: 'expired', deposits: [payment()] }));
  expect(late.paymentState).toBe('late');
  expect(judgeInvoice({ ...late, takesLateFrom: new Date(0) }, CHAIN, NOW)).toBe('late');
  const partly = { expiresAt, status: 'expired' as const, deposits: [payment({ amountUnits: 5n })] };
  const accepted = settled(invoice({ ...partly, takesLateFrom: new Date(0) }));
  expect(judgeInvoice({ ...accepted, takesLateFrom: null }, CHAIN, NOW)).toBe('late');
});

test('late money that was not booked counts under a policy that is younger than every booking', () => {
  const expiresAt = addSeconds(NOW, -7200);
  const deposits = [payment({ amountUnits: 5n }), payment({ amountUnits: 7n, bookedAt: addSeconds(NOW, -60) })];
  const stored = settled(invoice({ expiresAt, status: 'expired', deposits, takesLateFrom: addSeconds(NOW, -30) }));
  expect(stored.amountPaidUnits).toBe(5n);
  expect(judgeInvoice({ ...stored, takesLateFrom: null }, CHAIN, NOW)).toBe('late');
});

test('[I6] an invoice that was settled under one policy and not since is never a difference under another', () => {
  const policy = fc.option(fc.integer({ min: -9000, max: 0 }).map((seconds) => addSeconds(NOW, seconds)));
  fc.assert(
    fc.property(deposits, policy, policy, (paid, then, now) => {
      const before = invoice({ status: 'expired', expiresAt: addSeconds(NOW, -9000), deposits: paid });
      const stored = settled({ ...before, takesLateFrom: then });
      expect(['agrees', 'late']).toContain(judgeInvoice({ ...stored, takesLateFrom: now }, CHAIN, NOW));
    }),
  );
});

test('a forced payment agrees whatever came, but not with sums that did not come', () => {
  for (const deposits of [[], [payment({ amountUnits: 1n })], [payment(), payment()]]) {
    const forced = settled(invoice({ status: 'forcePaid', paidAt: NOW, deposits }));
    expect(judgeInvoice(forced, CHAIN, NOW)).toBe('agrees');
    expect(judgeInvoice({ ...forced, amountReceivedUnits: 3n }, CHAIN, NOW)).toMatchObject({ kind: 'invoice' });
  }
});

test('what was paid on a local chain that was replaced stays paid, and what was open there must be closed', () => {
  const chain = { ...CHAIN, epoch: 1, height: 3n };
  const paid = settled(invoice({ deposits: [payment()] }));
  expect(paid.status).toBe('paid');
  expect(judgeInvoice(paid, chain, NOW)).toBe('agrees');
  expect(judgeInvoice(invoice(), chain, NOW)).toMatchObject({ expected: 'status expired' });
});
