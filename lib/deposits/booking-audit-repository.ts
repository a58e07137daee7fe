import type { Sql } from '@/lib/db/database';
import { comparison } from '@/lib/ledger/difference-repository';
import { Findings } from '@/lib/ledger/findings';
import type { Coin } from '@/lib/shared/coins';
import { confirmedInSql, readOf } from './confirmations';

/** A confirmed deposit is booked with the next block; one that is still not after this much chain time was forgotten. */
const FORGOTTEN_AFTER = '10 minutes';

/** The keys of `book-deposits`, `book-reversals` and `attach_deposit()` name the deposit. */
const compareBookings = comparison(
  'deposits.compare-bookings',
  'booking',
  `
  WITH named AS MATERIALIZED (
    SELECT id, kind, CASE WHEN split_part(key, ':', 2) ~ '^[0-9]{1,18}$' THEN split_part(key, ':', 2)::bigint END AS deposit_id
    FROM ledger_entry WHERE coin = $coin::coin AND kind IN ('deposit', 'reversal', 'attribution')
  ), booked AS (
    SELECT e.deposit_id, e.kind, a.kind AS account_kind, a.wallet_id, p.amount_units
    FROM named e JOIN ledger_posting p ON p.entry_id = e.id JOIN ledger_account a ON a.id = p.account_id
  ), summed AS (
    SELECT b.deposit_id,
      count(*) FILTER (WHERE b.account_kind = 'chain' AND b.kind = 'deposit')
        - count(*) FILTER (WHERE b.account_kind = 'chain' AND b.kind = 'reversal') AS live,
      -coalesce(sum(b.amount_units) FILTER (WHERE b.account_kind = 'chain'), 0) AS from_chain,
      coalesce(sum(b.amount_units) FILTER (WHERE b.account_kind <> 'chain' AND b.wallet_id IS NOT DISTINCT FROM d.wallet_id), 0)
        AS with_owner
    FROM booked b LEFT JOIN deposit d ON d.id = b.deposit_id GROUP BY b.deposit_id
  ), due AS (
    SELECT id, tx_hash, (posted_at IS NOT NULL)::int AS live,
      CASE WHEN posted_at IS NULL THEN 0 ELSE amount_units END AS units
    FROM deposit WHERE coin = $coin::coin
  )
  SELECT 'booking of deposit ' || coalesce(d.id, s.deposit_id, 0) || coalesce(' in transaction ' || d.tx_hash, ' (unknown)')
      || CASE WHEN coalesce(s.live, 0) <> coalesce(d.live, 0)
           THEN ' (' || coalesce(s.live, 0) || ' live entries instead of ' || coalesce(d.live, 0) || ')' ELSE '' END AS subject,
    coalesce(d.units, 0) AS expected,
    CASE WHEN coalesce(s.from_chain, 0) <> coalesce(d.units, 0) THEN coalesce(s.from_chain, 0) ELSE coalesce(s.with_owner, 0) END
      AS actual
  FROM due d FULL JOIN summed s ON s.deposit_id = d.id
  WHERE coalesce(s.live, 0) <> coalesce(d.live, 0) OR coalesce(s.from_chain, 0) <> coalesce(d.units, 0)
    OR coalesce(s.with_owner, 0) <> coalesce(d.units, 0)`,
);

const compareForgotten = comparison(
  'deposits.compare-forgotten',
  'booking',
  `
  SELECT 'confirmed deposit ' || d.id || ' in transaction ' || d.tx_hash || ' (not booked)' AS subject,
    d.amount_units AS expected, 0 AS actual
  FROM deposit d JOIN chain_cursor c ON c.chain = d.chain AND c.epoch = d.epoch
  WHERE d.coin = $coin::coin AND d.posted_at IS NULL AND d.orphaned_at IS NULL
    AND ${confirmedInSql('d', readOf('c'))} AND d.block_time < c.chain_time - interval '${FORGOTTEN_AFTER}'`,
);

/**
 * Proves that deposits and ledger tell the same: every booked deposit has exactly one live entry of its amount on its
 * owner's account, no other has one, and no confirmed deposit was forgotten. Two statements, whatever the size.
 */
export async function auditBookings(sql: Sql, coin: Coin): Promise<Findings> {
  const findings = new Findings();
  findings.addAll(await compareBookings(sql, { coin }));
  findings.addAll(await compareForgotten(sql, { coin }));
  return findings;
}
