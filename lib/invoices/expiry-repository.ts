import type { Sql } from '@/lib/db/database';
import { statement } from '@/lib/db/statement';
import { CHAIN_INFO, CHAINS, type Chain } from '@/lib/shared/chains';
import { coversDue, PAYMENT_STATES, type PaymentState } from '@/lib/shared/invoice-status';
import { REVERSAL_SECONDS } from '@/lib/shared/limits';
import { DOWNTIME_SECONDS } from './settlement-repository';

interface Expirable {
  now: Date;
  chains: readonly Chain[];
  graceSeconds: number[];
  /** What covers the amount due keeps an invoice open. */
  covering: PaymentState[];
  /** Not these. */
  except: readonly number[];
  limit: number;
}

const SELECT = statement<Expirable, { id: number }>(
  'invoices.expirable',
  `(SELECT i.id FROM unnest($chains::chain[], $graceSeconds::int[]) AS g (chain, seconds)
        JOIN chain_cursor c ON c.chain = g.chain JOIN invoice i ON i.chain = c.chain
      WHERE i.status = 'pending' AND NOT i.id = ANY($except::int[]) AND NOT i.payment_state = ANY($covering::payment_state[])
        AND i.expires_at < c.chain_time - g.seconds * interval '1 s'
        AND i.expires_at < c.chain_time - (g.seconds + ${DOWNTIME_SECONDS}) * interval '1 s'
        AND (i.reversed_at IS NULL OR i.reversed_at < c.chain_time - interval '${REVERSAL_SECONDS} s')
      ORDER BY i.expires_at LIMIT $limit)
   UNION ALL
   (SELECT id FROM invoice WHERE status = 'pending' AND coin IS NULL AND NOT id = ANY($except::int[]) AND expires_at <= $now ORDER BY expires_at LIMIT $limit)`,
);

/** Pending invoices whose time may be over, but for those in `except`: by chain time with a coin, by the clock without. */
export async function selectExpirable(
  sql: Sql,
  { now, except, limit }: Pick<Expirable, 'now' | 'except' | 'limit'>,
): Promise<number[]> {
  const rows = await SELECT.all(sql, {
    now,
    except,
    chains: CHAINS,
    graceSeconds: CHAINS.map((chain) => CHAIN_INFO[chain].inclusionGraceSeconds),
    covering: PAYMENT_STATES.filter(coversDue),
    limit,
  });
  return rows.map((row) => row.id);
}
