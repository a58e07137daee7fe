import type { Sql } from '@/lib/db/database';

/**
 * Writes the rows of settlements and nothing else, in one statement per set: no decision, no fact is read or checked. What any
 * way to settle these invoices has to write.
 * @returns how many were written
 */
export async function writeBareSet(sql: Sql, invoiceIds: readonly number[]): Promise<number> {
  const { rows } = await sql.query<{ written: number }>({
    name: 'bare-set',
    text: `WITH settled AS (
        UPDATE invoice SET status = 'paid', payment_state = 'settled', amount_paid_units = amount_units,
          amount_confirmed_units = amount_units, amount_received_units = amount_units, paid_at = now(), version = version + 1
        WHERE id = ANY($1::int[]) RETURNING *
      ), event AS (
        INSERT INTO invoice_event (invoice_id, sequence, type, from_status, to_status, payment_state, amount_paid_units, amount_received_units)
        SELECT id, 1, 'invoice.statusChanged', 'pending', status, payment_state, amount_paid_units, amount_received_units FROM settled
        RETURNING id, invoice_id
      ), delivery AS (
        INSERT INTO webhook_delivery (event_id, api_key_id, url)
        SELECT e.id, s.api_key_id, 'http://127.0.0.1:9/hook' FROM event e JOIN settled s ON s.id = e.invoice_id
      ), receipt AS (
        INSERT INTO outgoing_mail (dedupe_key, recipient, event_id, kind)
        SELECT 'receipt:' || s.uuid, s.email, e.id, 'receipt' FROM event e JOIN settled s ON s.id = e.invoice_id
      ), answered AS (
        DELETE FROM settlement_task t USING settled s WHERE t.wallet_id = s.wallet_id
      )
      SELECT count(*)::int AS written FROM event`,
    values: [invoiceIds],
  });
  return rows[0]?.written ?? 0;
}
