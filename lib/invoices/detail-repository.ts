import type { Sql } from '@/lib/db/database';
import type { Invoice } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { Coin } from '@/lib/shared/coins';
import type { InvoiceStatus } from '@/lib/shared/invoice-status';
import { MAX_LISTED } from '@/lib/shared/limits';

/** What a detail view needs beside the invoice's row. */
export type InvoiceDetails = Row<Invoice, 'resolvedAt' | 'resolutionNote'> & {
  statusHistory: { status: InvoiceStatus; at: Date }[];
  wrongNetwork: { coin: Coin; amountUnits: bigint; txHash: string }[];
  /** Money on its address that the records do not explain, as the last comparison found it; null when there is none. */
  unexplainedUnits: bigint | null;
};

/** JSON has neither dates nor bigints. */
type RawDetails = Row<Invoice, 'resolvedAt' | 'resolutionNote'> & {
  statusHistory: { status: InvoiceStatus; at: string }[] | null;
  wrongNetwork: { coin: Coin; units: string; hash: string }[] | null;
  unexplainedUnits: bigint | null;
};

const SELECT = statement<{ invoiceId: number; most: number }, RawDetails>(
  'invoices.details',
  `SELECT i.resolved_at AS "resolvedAt", i.resolution_note AS "resolutionNote",
     (SELECT json_agg(json_build_object('status', h.status, 'at', h.at) ORDER BY h.id)
      FROM (SELECT * FROM invoice_status_change c WHERE c.invoice_id = i.id ORDER BY c.id DESC LIMIT $most) h)
      AS "statusHistory",
     (SELECT json_agg(json_build_object('coin', d.coin, 'units', d.amount_units::text, 'hash', d.tx_hash) ORDER BY d.id)
      FROM (SELECT f.* FROM wallet w JOIN deposit f ON f.pool_address_id = w.pool_address_id AND f.coin <> w.coin
          AND f.wallet_id IS NULL AND f.orphaned_at IS NULL
        WHERE w.id = i.wallet_id ORDER BY f.amount_units DESC, f.id LIMIT $most) d) AS "wrongNetwork",
     (SELECT s.told_units FROM wallet w JOIN address_surplus s ON s.pool_address_id = w.pool_address_id AND s.coin = w.coin
      WHERE w.id = i.wallet_id AND s.told_units > 0) AS "unexplainedUnits"
   FROM invoice i WHERE i.id = $invoiceId`,
);

/** The newest history, the largest money on other networks and the owner's resolution, in one round trip. */
export async function selectDetails(sql: Sql, invoiceId: number): Promise<InvoiceDetails> {
  const { resolvedAt, resolutionNote, statusHistory, wrongNetwork, unexplainedUnits } = await SELECT.one(sql, {
    invoiceId,
    most: MAX_LISTED,
  });
  return {
    resolvedAt,
    resolutionNote,
    unexplainedUnits,
    statusHistory: (statusHistory ?? []).map(({ status, at }) => ({ status, at: new Date(at) })),
    wrongNetwork: (wrongNetwork ?? []).map(({ coin, units, hash }) => ({
      coin,
      amountUnits: BigInt(units),
      txHash: hash,
    })),
  };
}

interface Resolution {
  /** Null when only the note changes. */
  resolvedAt: Date | null;
  note: string | null;
  acceptsLate: boolean;
}

const RESOLVE = statement<Resolution & { invoiceId: number }>(
  'invoices.resolve',
  `UPDATE invoice SET resolved_at = coalesce($resolvedAt, resolved_at),
     resolution_note = CASE WHEN $resolvedAt::timestamptz IS NULL THEN $note ELSE coalesce($note, resolution_note) END,
     late_accepted_at = CASE WHEN $acceptsLate THEN coalesce(late_accepted_at, $resolvedAt) ELSE late_accepted_at END
   WHERE id = $invoiceId`,
);

/**
 * Stores the owner's resolution of an own invoice; `acceptsLate` makes its late money count from now on. A note that comes
 * alone replaces the old one, also by none; a decision without a note keeps it.
 */
export async function updateResolution(sql: Sql, invoiceId: number, resolution: Resolution): Promise<void> {
  await RESOLVE.count(sql, { ...resolution, invoiceId });
}
