import type { Sql } from '@/lib/db/database';
import { comparison } from '@/lib/ledger/difference-repository';
import { Findings } from '@/lib/ledger/findings';
import type { Coin } from '@/lib/shared/coins';
import { confirmedInSql, readOf } from './confirmations';

/** A confirmed deposit is booked with the next block; one that is still not after this much chain time was forgotten. */
const FORGOTTEN_AFTER = '10 minutes';

/**
 * Per deposit what its entries say, beside what it says itself: how often it is booked and not taken back, what lies of it on
 * its address, what its owner has of it, and the block. A deposit whose wallet is not that of its address and coin was given to
 * it by an operator, who left a line.
 */
const compareBookings = comparison(
  'deposits.compare-bookings',
  'booking',
  `
  WITH booked AS (
    SELECT e.fact_id AS deposit_id, e.kind, e.booking, e.height, a.kind AS account_kind, a.wallet_id, a.pool_address_id,
      p.amount_units
    FROM ledger_entry e JOIN ledger_posting p ON p.entry_id = e.id JOIN ledger_account a ON a.id = p.account_id
    WHERE e.coin = $coin::coin AND e.fact = 'deposit'
  ), summed AS (
    SELECT b.deposit_id,
      count(*) FILTER (WHERE b.account_kind = 'custody' AND b.kind = 'deposit')
        - count(*) FILTER (WHERE b.account_kind = 'custody' AND b.kind = 'reversal') AS live,
      coalesce(sum(b.amount_units) FILTER (WHERE b.pool_address_id = d.pool_address_id), 0) AS on_address,
      coalesce(sum(abs(b.amount_units)) FILTER (WHERE b.account_kind = 'custody' AND b.pool_address_id <> d.pool_address_id), 0)
        AS elsewhere,
      coalesce(sum(b.amount_units) FILTER (WHERE b.account_kind <> 'custody' AND b.wallet_id IS NOT DISTINCT FROM d.wallet_id), 0)
        AS with_owner,
      bool_or(b.kind = 'deposit' AND b.booking = d.bookings AND d.posted_at IS NOT NULL
        AND b.height IS DISTINCT FROM d.block_height) AS is_misdated
    FROM booked b LEFT JOIN deposit d ON d.id = b.deposit_id GROUP BY b.deposit_id
  ), due AS (
    SELECT d.id, d.tx_hash, (d.posted_at IS NOT NULL)::int AS live,
      CASE WHEN d.posted_at IS NULL THEN 0 ELSE d.amount_units END AS units, d.amount_units,
      d.wallet_id IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM wallet w WHERE w.id = d.wallet_id AND w.pool_address_id = d.pool_address_id AND w.coin = d.coin)
        AND NOT EXISTS (SELECT 1 FROM deposit_attribution t WHERE t.deposit_id = d.id AND t.wallet_id = d.wallet_id) AS is_given
    FROM deposit d WHERE d.coin = $coin::coin
  )
  SELECT 'booking of deposit ' || coalesce(d.id, s.deposit_id) || coalesce(' in transaction ' || d.tx_hash, ' (unknown)')
      || CASE WHEN coalesce(s.live, 0) <> coalesce(d.live, 0)
           THEN ' (' || coalesce(s.live, 0) || ' live entries instead of ' || coalesce(d.live, 0) || ')'
         WHEN d.is_given THEN ' (given to a wallet by nobody)' WHEN s.is_misdated THEN ' (in another block)'
         WHEN s.elsewhere > 0 THEN ' (on another address)' ELSE '' END AS subject,
    CASE WHEN d.is_given THEN 0 ELSE coalesce(d.units, 0) END AS expected,
    CASE WHEN d.is_given THEN d.amount_units
      WHEN d.id IS NULL THEN (SELECT sum(b.amount_units) FROM booked b WHERE b.deposit_id = s.deposit_id AND b.account_kind = 'custody')
      WHEN coalesce(s.on_address, 0) <> d.units THEN coalesce(s.on_address, 0) ELSE coalesce(s.with_owner, 0) END AS actual
  FROM due d FULL JOIN summed s ON s.deposit_id = d.id
  WHERE coalesce(s.live, 0) <> coalesce(d.live, 0) OR coalesce(s.on_address, 0) <> coalesce(d.units, 0)
    OR coalesce(s.with_owner, 0) <> coalesce(d.units, 0) OR s.elsewhere > 0 OR s.is_misdated OR d.is_given`,
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
 * Proves that deposits and ledger tell the same: every booked deposit has exactly one live entry of its amount, on its address
 * and on its owner's account, no other has one, none belongs to a wallet that nobody gave it to, and no confirmed deposit was
 * forgotten. Two statements, whatever the size.
 */
export async function auditBookings(sql: Sql, coin: Coin): Promise<Findings> {
  const findings = new Findings();
  findings.addAll(await compareBookings(sql, { coin }));
  findings.addAll(await compareForgotten(sql, { coin }));
  return findings;
}
