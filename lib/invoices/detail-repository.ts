import type { InvoiceStatus } from '@/lib/api-schema/invoices';
import type { Sql } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';

/** What a detail view needs beside the invoice's row. */
export interface InvoiceDetails {
  statusHistory: { status: InvoiceStatus; at: Date }[];
  wrongNetwork: { coin: Coin; amountUnits: bigint; txHash: string }[];
  resolvedAt: Date | null;
  resolutionNote: string | null;
}

interface RawDetails {
  statusHistory: { status: InvoiceStatus; at: string }[] | null;
  wrongNetwork: { coin: Coin; units: string; hash: string }[] | null;
  resolvedAt: Date | null;
  resolutionNote: string | null;
}

/** History, money on other networks and the owner's resolution, in one round trip. */
export async function selectDetails(sql: Sql, invoiceId: number): Promise<InvoiceDetails> {
  const { rows } = await sql.query<RawDetails>(
    `SELECT i.resolved_at AS "resolvedAt", i.resolution_note AS "resolutionNote",
       (SELECT json_agg(json_build_object('status', h.status, 'at', h.at) ORDER BY h.id)
        FROM invoice_status_change h WHERE h.invoice_id = i.id) AS "statusHistory",
       (SELECT json_agg(json_build_object('coin', d.coin, 'units', d.amount_units::text, 'hash', d.tx_hash) ORDER BY d.id)
        FROM wallet w JOIN deposit d ON d.pool_address_id = w.pool_address_id AND d.coin <> w.coin AND d.wallet_id IS NULL
          AND d.orphaned_at IS NULL
        WHERE w.id = i.wallet_id) AS "wrongNetwork"
     FROM invoice i WHERE i.id = $1`,
    [invoiceId],
  );
  const [raw] = rows;
  if (!raw) throw new Error(`Invoice ${invoiceId} is gone.`);
  return {
    resolvedAt: raw.resolvedAt,
    resolutionNote: raw.resolutionNote,
    statusHistory: (raw.statusHistory ?? []).map(({ status, at }) => ({ status, at: new Date(at) })),
    wrongNetwork: (raw.wrongNetwork ?? []).map(({ coin, units, hash }) => ({
      coin,
      amountUnits: BigInt(units),
      txHash: hash,
    })),
  };
}

/**
 * Stores the owner's resolution of an own invoice; `acceptsLate` makes its late money count from now on. A note that comes
 * alone replaces the old one, also by none; a decision without a note keeps it.
 */
export async function updateResolution(
  sql: Sql,
  invoiceId: number,
  resolution: { resolvedAt: Date | null; note: string | null; acceptsLate: boolean },
): Promise<void> {
  await sql.query(
    `UPDATE invoice SET resolved_at = coalesce($2, resolved_at),
       resolution_note = CASE WHEN $2 IS NULL THEN $3 ELSE coalesce($3, resolution_note) END,
       late_accepted_at = CASE WHEN $4 THEN coalesce(late_accepted_at, $2) ELSE late_accepted_at END
     WHERE id = $1`,
    [invoiceId, resolution.resolvedAt, resolution.note, resolution.acceptsLate],
  );
}
