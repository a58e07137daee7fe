import type { Database, Sql } from '@/lib/db/database';
import type { InvoiceStatus, PaymentState } from '@/lib/shared/invoice-status';
import { type MadeInvoice, makeInvoice, makeUser } from './factories';
import { settleDoor } from './settle-door';
import { makeSpecialDeposit } from './special-deposits';

/** Chain time of the cursor in these tests, and what one of their invoices costs. */
export const CHAIN_TIME = new Date('2026-11-27T12:00:00Z');
export const DUE = 10n ** 16n;

const seconds = (after: number) => new Date(CHAIN_TIME.getTime() + after * 1000);

/** What a caller says of an invoice: the database lets through only what the facts carry. */
export interface Claim {
  to: InvoiceStatus;
  as: PaymentState;
  paid?: bigint;
  confirmed?: bigint;
  received?: bigint;
  /** Seconds after CHAIN_TIME. */
  reversedAt?: number | null;
  usesLate?: boolean;
  paidAt?: Date | null;
  version?: number;
}

/** Money on an invoice's wallet. Times are seconds after CHAIN_TIME. */
export interface Money {
  units?: bigint;
  height?: bigint;
  blockAt?: number;
  seenAt?: number;
  /** SQL of further columns of the deposit: `epoch = 1`. */
  but?: string;
}

/** An invoice in ETH that ends so many seconds after CHAIN_TIME and was made an hour before it. */
export async function claimedInvoice(
  sql: Sql,
  { endsAt = 3600, money = [] as readonly Money[], but = '' } = {},
): Promise<MadeInvoice & { userId: number }> {
  const { id: userId } = await makeUser(sql);
  const invoice = await makeInvoice(sql, { userId, dueUnits: DUE, expiresAt: seconds(endsAt) });
  await sql.query('UPDATE invoice SET created_at = $2 WHERE id = $1', [invoice.id, seconds(-3600)]);
  for (const one of money) await addMoney(sql, invoice, one);
  if (but) await sql.query(`UPDATE invoice SET ${but} WHERE id = ${invoice.id}`);
  return { ...invoice, userId };
}

export async function addMoney(
  sql: Sql,
  invoice: MadeInvoice,
  { units = DUE, height = 100n, blockAt = -60, seenAt = blockAt, but }: Money = {},
): Promise<void> {
  const columns = `seen_at = '${seconds(seenAt).toISOString()}'${but ? `, ${but}` : ''}`;
  await makeSpecialDeposit(sql, { invoice, amountUnits: units, height, time: seconds(blockAt) }, columns);
}

/**
 * Asks the database to write a decision, as a process does that was taken over.
 * @returns `carried`, `changed` when the invoice has another version, or the name of what refused
 */
export async function claim(
  { pool }: Database,
  { id }: Pick<MadeInvoice, 'id'>,
  { to, as, paid = 0n, confirmed = paid, received = paid, reversedAt = null, usesLate = false, paidAt, version }: Claim,
): Promise<string> {
  try {
    const said = { paid, confirmed, received, usesLate, reversedAt: reversedAt === null ? null : seconds(reversedAt) };
    const known = await pool.query<{ version: number }>('SELECT version FROM invoice WHERE id = $1', [id]);
    const dated = paidAt === undefined ? {} : { paidAt };
    const { rows } = await pool.query<{ written: number }>(
      settleDoor({ id, version: version ?? known.rows[0]?.version ?? 0, status: to, state: as, ...said, ...dated }),
    );
    return rows[0]?.written === 1 ? 'carried' : 'changed';
  } catch (error) {
    return error instanceof Error && 'constraint' in error && error.constraint
      ? String(error.constraint)
      : String(error);
  }
}
