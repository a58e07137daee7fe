/**
 * What does not agree: `address` chain and records, `derivation` address and published key, `invoice` facts and stored state,
 * the others inside the books.
 */
export type DifferenceKind =
  | 'address'
  | 'derivation'
  | 'entry'
  | 'balance'
  | 'total'
  | 'booking'
  | 'invoice'
  | 'history';

/** Two values that should be the same and are not. Amounts are base units. */
export interface Difference {
  kind: DifferenceKind;
  /** What it is about, named so that an operator finds it. */
  subject: string;
  expected: string;
  actual: string;
  /** How much money the two are apart, without a sign; 0 when it is not about money. */
  units: bigint;
}

/** So many are kept with their names; all are counted. */
export const MOST_LISTED = 100;

/** Differences, all of them counted and the first ones listed, so that a broken database does not fill the memory. */
export class Findings {
  count = 0;
  units = 0n;
  readonly listed: Difference[] = [];

  add(difference: Difference): void {
    this.addAll({ count: 1, units: difference.units, listed: [difference] });
  }

  addAll(others: Pick<Findings, 'count' | 'units' | 'listed'>): void {
    this.count += others.count;
    this.units += others.units;
    this.listed.push(...others.listed.slice(0, MOST_LISTED - this.listed.length));
  }
}
