/** A mutant that changes nothing that anybody can see, and why. */
interface Equivalent {
  /** Fits its name, and those of its kind. */
  mutant: RegExp;
  /** Of StrykerJS's, or of ours. */
  language: 'typescript' | 'sql';
  reason: string;
}

/** Mutants that are proved to change nothing. One that fits no mutant any more fails the run. */
const EQUIVALENTS: readonly Equivalent[] = [
  {
    mutant: /: [<>] becomes [<>]= at ".*(ended_at"? > |started_at"? < )/,
    language: 'sql',
    reason:
      'An outage that only touches the open time of an invoice adds nothing to it: its part is zero seconds long.',
  },
  {
    mutant: /note-head: < becomes <= at ".*looked_at < now/,
    language: 'sql',
    reason: 'Both sides are the clock of one statement in microseconds: no look is exactly a minute after another.',
  },
];

export function isEquivalent(mutant: string): boolean {
  return EQUIVALENTS.some((known) => known.mutant.test(mutant));
}

/** Reasons for mutants of SQL that are not made any more, of all that are. */
export function forgottenReasons(mutants: readonly string[]): string[] {
  return EQUIVALENTS.filter(
    ({ language, mutant }) => language === 'sql' && !mutants.some((name) => mutant.test(name)),
  ).map(({ mutant }) => String(mutant));
}
