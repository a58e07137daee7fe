import type { Sql } from '@/lib/db/database';
import { statement } from '@/lib/db/statement';
import { CHAIN_INFO, CHAINS, type Chain } from '@/lib/shared/chains';
import { coversDue, PAYMENT_STATES, type PaymentState } from '@/lib/shared/invoice-status';
import { REVERSAL_SECONDS } from '@/lib/shared/limits';
import { DOWNTIME_SECONDS } from './settlement-facts-repository';

interface Expirable {
  now: Date;
  chains: readonly Chain[];
  graceSeconds: number[];
  /** What covers the amount due keeps an invoice open. */
  covering: PaymentState[];
  limit: number;
}

/** Those that failed are tried again in their own time (`selectRetriable`). */
const HAS_FAILED = 'EXISTS (SELECT 1 FROM settlement_failure f WHERE f.invoice_id = i.id)';

const SELECT = statement<Expirable, { id: number }>(
  'invoices.expirable',
  `(SELECT e.id FROM unnest($chains::chain[], $graceSeconds::int[]) AS g (chain, seconds)
        JOIN chain_cursor c ON c.chain = g.chain AND c.branch_height IS NULL CROSS JOIN LATERAL (
          SELECT i.id, i.expires_at FROM invoice i
          WHERE i.chain = c.chain AND i.status = 'pending' AND NOT ${HAS_FAILED}
            AND NOT i.payment_state = ANY($covering::payment_state[])
            AND i.expires_at < c.chain_time - g.seconds * interval '1 s'
            AND i.expires_at < c.chain_time - (g.seconds + ${DOWNTIME_SECONDS}) * interval '1 s'
            AND (i.reversed_at IS NULL OR i.reversed_at < c.chain_time - interval '${REVERSAL_SECONDS} s')
          ORDER BY i.expires_at LIMIT $limit
        ) e
      ORDER BY e.expires_at LIMIT $limit)
   UNION ALL
   (SELECT i.id FROM invoice i WHERE i.status = 'pending' AND i.chain IS NULL AND i.coin IS NULL AND NOT ${HAS_FAILED}
      AND i.expires_at <= $now ORDER BY i.expires_at LIMIT $limit)`,
);

/** Pending invoices whose time may be over: by chain time with a coin, by the clock without. */
export async function selectExpirable(sql: Sql, { now, limit }: Pick<Expirable, 'now' | 'limit'>): Promise<number[]> {
  const rows = await SELECT.all(sql, {
    now,
    chains: CHAINS,
    graceSeconds: CHAINS.map((chain) => CHAIN_INFO[chain].inclusionGraceSeconds),
    covering: PAYMENT_STATES.filter(coversDue),
    limit,
  });
  return rows.map((row) => row.id);
}
