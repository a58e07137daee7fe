/** An invariant that does not hold, with what shows it. */
export class Violation extends Error {
  constructor(invariant: string, evidence: unknown) {
    super(
      `${invariant}: ${JSON.stringify(evidence, (_, value) => (typeof value === 'bigint' ? value.toString() : value))}`,
    );
    this.name = 'Violation';
  }
}
