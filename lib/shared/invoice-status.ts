/** Every status that an invoice can have, in the order in which screens list them. */
export const INVOICE_STATUSES = ['pending', 'paid', 'forcePaid', 'expired'] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** How far the money of an invoice has come, whatever its status says. */
export const PAYMENT_STATES = [
  'unpaid',
  'seen',
  'partial',
  'confirming',
  'settled',
  'overpaid',
  'late',
  'reversed',
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

const IS_PAID = {
  pending: false,
  paid: true,
  forcePaid: true,
  expired: false,
} satisfies Record<InvoiceStatus, boolean>;

const COVERS_DUE = {
  unpaid: false,
  seen: true,
  partial: false,
  confirming: true,
  settled: true,
  overpaid: true,
  late: false,
  reversed: false,
} as const satisfies Record<PaymentState, boolean>;

/** What was taken back may come again. */
const MAY_STILL_SETTLE: Record<PaymentState, boolean> = { ...COVERS_DUE, reversed: true };

type CoveringState = {
  [State in PaymentState]: (typeof COVERS_DUE)[State] extends true ? State : never;
}[PaymentState];

/** True for an invoice that counts as paid: by the chain, or because its owner said so. */
export function isPaidStatus(status: InvoiceStatus): boolean {
  return IS_PAID[status];
}

/** True once all money due was seen in time, confirmed or not: nobody is asked for more. */
export function coversDue(state: PaymentState): state is CoveringState {
  return COVERS_DUE[state];
}

/** True while money that was seen settles the invoice, or may: its time may be over, and it waits all the same. */
export function mayStillSettle(state: PaymentState): boolean {
  return MAY_STILL_SETTLE[state];
}

/** True for an open invoice on which a part of the money has come. */
export function isPartlyPaid({ status, paymentState }: { status: InvoiceStatus; paymentState: PaymentState }): boolean {
  return status === 'pending' && paymentState === 'partial';
}
