import type { Sql } from '@/lib/db/database';
import { type DifferenceKind, Findings, MOST_LISTED } from './findings';

interface Row {
  subject: string;
  expected: string;
  actual: string;
  units: string;
  count: string;
  totalUnits: string;
}

/**
 * Runs a query that finds amounts that should be equal and are not.
 * @param query returns the columns subject, expected and actual, in base units
 */
export async function selectDifferences(
  sql: Sql,
  kind: DifferenceKind,
  query: string,
  values: unknown[],
): Promise<Findings> {
  const { rows } = await sql.query<Row>(
    `SELECT subject, expected, actual, abs(expected - actual) AS units, count(*) OVER () AS count,
       sum(abs(expected - actual)) OVER () AS "totalUnits"
     FROM (${query}) AS compared ORDER BY abs(expected - actual) DESC, subject LIMIT ${MOST_LISTED}`,
    values,
  );
  const findings = new Findings();
  findings.addAll({
    count: Number(rows[0]?.count ?? 0),
    units: BigInt(rows[0]?.totalUnits ?? 0),
    listed: rows.map(({ subject, expected, actual, units }) => ({
      kind,
      subject,
      expected,
      actual,
      units: BigInt(units),
    })),
  });
  return findings;
}
