import type { Sql } from '@/lib/db/database';
import type { Invoice } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import { streamPages } from '@/lib/db/stream';
import type { DepositFact } from '@/lib/invoices/counted-money';
import {
  DOWNTIME_SECONDS,
  JSON_DEPOSIT,
  type JsonDeposit,
  TAKES_LATE_FROM,
  toDepositFact,
  toPriced,
} from '@/lib/invoices/settlement-facts-repository';
import type { InvoiceFacts } from '@/lib/invoices/state';
import type { Coin } from '@/lib/shared/coins';
import type { InvoiceStatus } from '@/lib/shared/invoice-status';

const PAGE_SIZE = 1_000;

type Stored = Row<
  Invoice,
  'uuid' | 'paymentState' | 'amountPaidUnits' | 'amountConfirmedUnits' | 'amountReceivedUnits'
>;

/** An invoice as it is stored, with all the facts that decide what it should be. */
export interface AuditedInvoice extends InvoiceFacts, Stored {
  /** A settlement of it is due. */
  isQueued: boolean;
  /** Status that its last event announced; `pending` without any. */
  announcedStatus: InvoiceStatus;
  deposits: DepositFact[];
}

type Fetched = Omit<AuditedInvoice, 'priced' | 'deposits'> &
  Row<Invoice, 'coin' | 'chain' | 'amountUnits' | 'chainEpoch'> & { deposits: JsonDeposit[] | null };

interface Audited {
  coin: Coin;
  closedSince: Date | null;
  withUnpriced: boolean;
}

const SELECT = statement<Audited, Fetched>(
  'reconciliation.audited-invoices',
  `SELECT i.uuid, i.status, i.payment_state AS "paymentState", i.coin, i.chain, i.amount_units AS "amountUnits",
     i.chain_epoch AS "chainEpoch", i.expires_at AS "expiresAt", i.reversed_at AS "reversedAt", i.paid_at AS "paidAt",
     i.amount_paid_units AS "amountPaidUnits", i.amount_confirmed_units AS "amountConfirmedUnits",
     i.amount_received_units AS "amountReceivedUnits", i.tolerance_basis_points AS "toleranceBasisPoints",
     i.late_accepted_at IS NOT NULL AS "acceptsLate", ${TAKES_LATE_FROM} AS "takesLateFrom",
     ${DOWNTIME_SECONDS} AS "downtimeSeconds",
     EXISTS (SELECT 1 FROM settlement_task t WHERE t.wallet_id = i.wallet_id) AS "isQueued",
     coalesce((SELECT e.to_status FROM invoice_event e WHERE e.invoice_id = i.id ORDER BY e.sequence DESC LIMIT 1),
       'pending') AS "announcedStatus",
     (SELECT json_agg(${JSON_DEPOSIT}) FROM deposit d WHERE d.wallet_id = i.wallet_id AND d.epoch = i.chain_epoch) AS deposits
   FROM invoice i JOIN user_account u ON u.id = i.user_id
   WHERE (i.coin = $coin::coin OR ($withUnpriced AND i.coin IS NULL))
     AND (i.status = 'pending' OR $closedSince::timestamptz IS NULL OR i.expires_at > $closedSince)`,
);

/**
 * Reads a coin's invoices with their facts in one pass, a page at a time. Needs a transaction: it opens a cursor.
 * @param of.closedSince pending ones, and closed ones that expired since then; null for all
 * @param of.withUnpriced also invoices for which no coin is chosen yet
 */
export async function* streamInvoiceFacts(sql: Sql, of: Audited): AsyncGenerator<AuditedInvoice[]> {
  for await (const rows of streamPages(sql, SELECT, of, PAGE_SIZE)) yield rows.map(toAudited);
}

function toAudited({ coin, chain, amountUnits, chainEpoch, deposits, ...stored }: Fetched): AuditedInvoice {
  return {
    ...stored,
    priced: toPriced({ coin, chain, amountUnits, chainEpoch }),
    deposits: (deposits ?? []).map(toDepositFact),
  };
}
