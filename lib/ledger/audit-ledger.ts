import type { Sql } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';
import { Findings } from './findings';
import { selectDifferences } from './select-differences';

const UNBALANCED_ENTRIES = `
  SELECT 'entry ' || e.key || CASE WHEN count(a.id) = 0 THEN ' (without postings)'
      WHEN bool_or(a.coin <> e.coin) THEN ' (with another coin)' ELSE '' END AS subject,
    0 AS expected, coalesce(sum(p.amount_units), 0) AS actual
  FROM ledger_entry e LEFT JOIN ledger_posting p ON p.entry_id = e.id LEFT JOIN ledger_account a ON a.id = p.account_id
  WHERE e.coin = $1::coin GROUP BY e.id
  HAVING count(a.id) = 0 OR sum(p.amount_units) <> 0 OR bool_or(a.coin <> e.coin)`;

const DRIFTED_BALANCES = `
  SELECT a.kind || ' account of wallet ' || w.uuid AS subject, coalesce(sum(p.amount_units), 0) AS expected,
    a.balance AS actual
  FROM ledger_account a JOIN wallet w ON w.id = a.wallet_id LEFT JOIN ledger_posting p ON p.account_id = a.id
  WHERE a.coin = $1::coin AND a.kind IN ('wallet', 'held') GROUP BY a.id, w.uuid
  HAVING a.balance <> coalesce(sum(p.amount_units), 0)`;

const TOTALS = `
  SELECT 'all accounts but the chain''s' AS subject, -coalesce(sum(p.amount_units) FILTER (WHERE a.kind = 'chain'), 0) AS expected,
    coalesce(sum(p.amount_units) FILTER (WHERE a.kind <> 'chain'), 0) AS actual
  FROM ledger_account a JOIN ledger_posting p ON p.account_id = a.id WHERE a.coin = $1::coin
  HAVING sum(p.amount_units) <> 0`;

/**
 * Proves a coin's ledger from its postings: every entry sums to zero, every kept balance is the sum of its postings, and
 * what all accounts hold is what the chain account owes. Three statements, whatever the size.
 */
export async function auditLedger(sql: Sql, coin: Coin): Promise<Findings> {
  const findings = new Findings();
  findings.addAll(await selectDifferences(sql, 'entry', UNBALANCED_ENTRIES, [coin]));
  findings.addAll(await selectDifferences(sql, 'balance', DRIFTED_BALANCES, [coin]));
  findings.addAll(await selectDifferences(sql, 'total', TOTALS, [coin]));
  return findings;
}
