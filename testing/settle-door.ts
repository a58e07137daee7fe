/** What somebody who holds a login may say to `settle_invoices()` of an invoice. */
export interface Claim {
  id: number;
  version?: number;
  status?: string;
  state?: string;
  /** Said to be counted, confirmed and received, where they are not said one by one. */
  units?: bigint;
  paid?: bigint;
  confirmed?: bigint;
  received?: bigint;
  reversedAt?: Date | string | null;
  /** Now, unless it is said otherwise, where it is paid. */
  paidAt?: Date | null;
  usesLate?: boolean;
  misfit?: string | null;
}

/** Decisions of one's own making, as a statement for `query`. */
export function settleDoor(...claims: Claim[]): { text: string; values: unknown[] } {
  const decisions = claims.map(({ id, version = 0, status = 'pending', state = 'settled', units = 0n, ...rest }) => ({
    invoice_id: id,
    version,
    status,
    payment_state: state,
    paid: String(rest.paid ?? units),
    confirmed: String(rest.confirmed ?? units),
    received: String(rest.received ?? units),
    paid_at: rest.paidAt !== undefined ? rest.paidAt : status === 'pending' || status === 'expired' ? null : new Date(),
    reversed_at: rest.reversedAt ?? null,
    uses_late: rest.usesLate ?? false,
    misfit: rest.misfit ?? null,
  }));
  return { text: 'SELECT settle_invoices($1::jsonb, now()) AS written', values: [JSON.stringify(decisions)] };
}
