import type { InvoiceStatus, PaymentState } from '@/lib/api-schema/invoices';
import type { Sql } from '@/lib/db/database';
import { DOWNTIME_SECONDS, POLICY_ACCEPTS_LATE } from '@/lib/invoices/settlement-repository';
import type { DepositFact, InvoiceFacts } from '@/lib/invoices/state';
import type { Coin } from '@/lib/shared/coins';

const PAGE_SIZE = 1_000;

/** An invoice as it is stored, with all the facts that decide what it should be. */
export interface AuditedInvoice extends Omit<InvoiceFacts, 'acceptsLate'> {
  uuid: string;
  paymentState: PaymentState;
  amountPaidUnits: bigint;
  amountConfirmedUnits: bigint;
  amountReceivedUnits: bigint;
  /** The owner took this invoice's late money. */
  hasAcceptedLate: boolean;
  /** The owner's policy takes its late money, as of now. */
  ownerAcceptsLate: boolean;
  /** A settlement of it is due. */
  isQueued: boolean;
  /** Status that its last event announced; `pending` without any. */
  announcedStatus: InvoiceStatus;
  deposits: DepositFact[];
}

type Amounts = 'amountPaidUnits' | 'amountConfirmedUnits' | 'amountReceivedUnits';
interface Raw extends Omit<AuditedInvoice, 'priced' | 'deposits' | Amounts>, Record<Amounts, string> {
  coin: Coin | null;
  amountUnits: string | null;
  chainEpoch: number | null;
  deposits: { units: string; height: string | null; time: string | null; seen: string; orphaned: boolean }[] | null;
}

/**
 * Reads a coin's invoices with their facts in one pass, a page at a time. Needs a transaction: it opens a cursor.
 * @param of.closedSince pending ones, and closed ones that expired since then; null for all
 * @param of.withUnpriced also invoices for which no coin is chosen yet
 */
export async function* streamInvoiceFacts(
  sql: Sql,
  of: { coin: Coin; closedSince: Date | null; withUnpriced: boolean },
): AsyncGenerator<AuditedInvoice[]> {
  await sql.query(
    `DECLARE audited_invoice NO SCROLL CURSOR FOR
     SELECT i.uuid, i.status, i.payment_state AS "paymentState", i.coin, i.amount_units AS "amountUnits",
       i.chain_epoch AS "chainEpoch", i.expires_at AS "expiresAt", i.reversed_at AS "reversedAt", i.paid_at AS "paidAt",
       i.amount_paid_units AS "amountPaidUnits", i.amount_confirmed_units AS "amountConfirmedUnits",
       i.amount_received_units AS "amountReceivedUnits", i.tolerance_basis_points AS "toleranceBasisPoints",
       i.late_accepted_at IS NOT NULL AS "hasAcceptedLate", ${POLICY_ACCEPTS_LATE} AS "ownerAcceptsLate",
       ${DOWNTIME_SECONDS} AS "downtimeSeconds",
       EXISTS (SELECT 1 FROM settlement_task t WHERE t.wallet_id = i.wallet_id) AS "isQueued",
       coalesce((SELECT e.to_status FROM invoice_event e WHERE e.invoice_id = i.id ORDER BY e.sequence DESC LIMIT 1),
         'pending') AS "announcedStatus",
       (SELECT json_agg(json_build_object('units', d.amount_units::text, 'height', d.block_height::text,
            'time', d.block_time, 'seen', d.seen_at, 'orphaned', d.orphaned_at IS NOT NULL))
          FROM deposit d WHERE d.wallet_id = i.wallet_id AND d.epoch = i.chain_epoch) AS deposits
     FROM invoice i JOIN user_account u ON u.id = i.user_id
     WHERE (i.coin = $1::coin OR ($3 AND i.coin IS NULL))
       AND (i.status = 'pending' OR $2::timestamptz IS NULL OR i.expires_at > $2)`,
    [of.coin, of.closedSince, of.withUnpriced],
  );
  for (;;) {
    const { rows } = await sql.query<Raw>(`FETCH ${PAGE_SIZE} FROM audited_invoice`);
    if (rows.length > 0) yield rows.map(toAudited);
    if (rows.length < PAGE_SIZE) break;
  }
  await sql.query('CLOSE audited_invoice');
}

function toAudited({ coin, amountUnits, chainEpoch, deposits, ...raw }: Raw): AuditedInvoice {
  return {
    ...raw,
    amountPaidUnits: BigInt(raw.amountPaidUnits),
    amountConfirmedUnits: BigInt(raw.amountConfirmedUnits),
    amountReceivedUnits: BigInt(raw.amountReceivedUnits),
    priced: coin && amountUnits && chainEpoch !== null ? { coin, dueUnits: BigInt(amountUnits), chainEpoch } : null,
    deposits: (deposits ?? []).map((deposit) => ({
      amountUnits: BigInt(deposit.units),
      blockHeight: deposit.height === null ? null : BigInt(deposit.height),
      blockTime: deposit.time === null ? null : new Date(deposit.time),
      seenAt: new Date(deposit.seen),
      orphaned: deposit.orphaned,
    })),
  };
}
