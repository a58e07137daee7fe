import type { Sql } from '@/lib/db/database';
import type { Invoice } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { Coin } from '@/lib/shared/coins';
import { leastToldUnits } from '@/lib/shared/money';

const UNTOLD = statement<{ coin: Coin; leastUnits: bigint; limit: number }, Row<Invoice, 'id' | 'uuid'>>(
  'invoices.untold-surpluses',
  `SELECT i.id, i.uuid FROM address_surplus s
     JOIN wallet w ON w.pool_address_id = s.pool_address_id AND w.coin = s.coin JOIN invoice i ON i.wallet_id = w.id
   WHERE s.coin = $coin::coin AND s.units - s.told_units >= $leastUnits::numeric ORDER BY s.found_at, i.id LIMIT $limit`,
);

/** Invoices on whose address more money is unexplained than their merchants were told of. */
export function selectUntold(sql: Sql, coin: Coin, limit: number): Promise<Row<Invoice, 'id' | 'uuid'>[]> {
  return UNTOLD.all(sql, { coin, leastUnits: leastToldUnits(coin), limit });
}

const NOTE = statement<{ invoiceId: number; at: Date }, { told: boolean }>(
  'invoices.note-surplus',
  'SELECT note_surplus($invoiceId, $at) AS told',
);

/** Adds the event and the merchant's mail. @returns false when somebody told meanwhile */
export async function noteSurplus(sql: Sql, invoiceId: number, at: Date): Promise<boolean> {
  return (await NOTE.one(sql, { invoiceId, at })).told;
}
