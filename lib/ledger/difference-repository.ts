import type { Sql } from '@/lib/db/database';
import { statement } from '@/lib/db/statement';
import type { Coin } from '@/lib/shared/coins';
import { PLACES } from './entry';
import { type DifferenceKind, Findings, MOST_LISTED } from './findings';

interface DifferenceRow {
  subject: string;
  expected: bigint;
  actual: bigint;
  units: bigint;
  count: bigint;
  totalUnits: bigint;
}

/** Compares amounts of a coin that should be equal. @returns those that are not */
export type Comparison = (sql: Sql, params: { coin: Coin }) => Promise<Findings>;

/**
 * Declares a comparison.
 * @param name of its statement, `<domain>.<what>`
 * @param query of `$coin`; returns the columns subject, expected and actual, in base units
 */
export function comparison(name: string, kind: DifferenceKind, query: string): Comparison {
  const selectDifferences = statement<{ coin: Coin }, DifferenceRow>(
    name,
    `SELECT subject, expected, actual, abs(expected - actual) AS units, count(*) OVER () AS count,
       sum(abs(expected - actual)) OVER () AS "totalUnits"
     FROM (${query}) AS compared ORDER BY abs(expected - actual) DESC, subject LIMIT ${MOST_LISTED}`,
  );
  return async (sql, params) => {
    const rows = await selectDifferences.all(sql, params);
    const findings = new Findings();
    findings.addAll({
      count: Number(rows[0]?.count ?? 0n),
      units: rows[0]?.totalUnits ?? 0n,
      listed: rows.map(({ subject, expected, actual, units }) => ({
        kind,
        subject,
        expected: String(expected),
        actual: String(actual),
        units,
      })),
    });
    return findings;
  };
}

const IS_PLACE = `a.kind IN (${PLACES.map((kind) => `'${kind}'`).join(', ')})`;

/** What a posting `p` on account `a` adds to the side of the owners less that of the places. */
const BALANCE = `CASE WHEN ${IS_PLACE} THEN -p.amount_units ELSE p.amount_units END`;

/** Entries whose two sides are not the same, or that are of another coin than their parts, or without any. */
const compareEntries = comparison(
  'ledger.compare-entries',
  'entry',
  `SELECT 'entry ' || e.kind || ' ' || e.booking || ' of ' || e.fact || ' ' || e.fact_id
       || CASE WHEN count(a.id) = 0 THEN ' (without postings)' WHEN bool_or(a.coin <> e.coin) THEN ' (with another coin)' ELSE '' END
       AS subject,
     0::numeric AS expected, coalesce(sum(${BALANCE}), 0) AS actual
   FROM ledger_entry e LEFT JOIN ledger_posting p ON p.entry_id = e.id LEFT JOIN ledger_account a ON a.id = p.account_id
   WHERE e.coin = $coin::coin GROUP BY e.id
   HAVING count(a.id) = 0 OR sum(${BALANCE}) <> 0 OR bool_or(a.coin <> e.coin)`,
);

/** Kept balances that are not the sum of their postings. */
const compareBalances = comparison(
  'ledger.compare-balances',
  'balance',
  `SELECT a.kind || ' account of wallet ' || w.uuid AS subject, coalesce(sum(p.amount_units), 0) AS expected,
     a.balance AS actual
   FROM ledger_account a JOIN wallet w ON w.id = a.wallet_id LEFT JOIN ledger_posting p ON p.account_id = a.id
   WHERE a.coin = $coin::coin GROUP BY a.id, w.uuid HAVING a.balance <> coalesce(sum(p.amount_units), 0)`,
);

/** What lies at all places, beside what all owners have. */
const compareTotals = comparison(
  'ledger.compare-totals',
  'total',
  `SELECT 'what all owners have, beside what lies at all places' AS subject,
     coalesce(sum(p.amount_units) FILTER (WHERE ${IS_PLACE}), 0) AS expected,
     coalesce(sum(p.amount_units) FILTER (WHERE NOT ${IS_PLACE}), 0) AS actual
   FROM ledger_account a JOIN ledger_posting p ON p.account_id = a.id WHERE a.coin = $coin::coin
   HAVING sum(${BALANCE}) <> 0`,
);

/**
 * Proves a coin's ledger from its postings: the two sides of every entry are the same, every kept balance is the sum of its
 * postings, and what all owners have is what lies at all places. Three statements, whatever the size.
 */
export async function auditLedger(sql: Sql, coin: Coin): Promise<Findings> {
  const findings = new Findings();
  for (const compare of [compareEntries, compareBalances, compareTotals]) findings.addAll(await compare(sql, { coin }));
  return findings;
}
