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
  {
    mutant: /^invoices\.(queued|retriable): <= becomes < at ".*next_try_at <= now/,
    language: 'sql',
    reason:
      'Milliseconds beside microseconds: what is due in this very one is found a moment later, by the next round.',
  },
  {
    mutant: /^invoices\.expirable: without "i\.(chain|coin) IS NULL"/,
    language: 'sql',
    reason: 'The check invoice_coin_whole keeps both or neither: each says what the other says.',
  },
  {
    mutant:
      /^invoices\.expirable: (without "i\.expires_at < c\.chain_time - g\.seconds \*|< becomes <= at "AND i\.expires_at < c\.chain_time - g\.second)/,
    language: 'sql',
    reason:
      'It lets an index be used. The condition behind it, with the outages, asks for as much or more: none is shorter than 0.',
  },
  {
    mutant:
      /^post_entries\(\): without "(CASE WHEN p\."wallet_id" IS NOT NULL|p\."(wallet|pool_address)_id" IS NOT NULL"|a\."(wallet|pool_address)_id" IS NULL")/,
    language: 'sql',
    reason:
      'It spares the look for an account that is there. Of one that is made again nothing is stored (ON CONFLICT DO NOTHING under three unique keys), and what kind an account is says whether it has an owner or an address (the check ledger_account_owner).',
  },
  {
    mutant: /(progress\.ts:51 EqualityOperator date <= least|cursor\.ts:\d+ EqualityOperator (a <= b|before >= told))/,
    language: 'typescript',
    reason: 'The lesser or the greater of two that are the same is either of them.',
  },
  {
    mutant:
      /chain-sync\/cursor\.ts:67 ConditionalExpression true|chains\/confirmation\.ts:15 ConditionalExpression false/,
    language: 'typescript',
    reason:
      'No height is below zero, and null compares as zero does: the comparison behind it is false for null already.',
  },
  {
    mutant: /find-fork-point\.ts:15 ConditionalExpression false/,
    language: 'typescript',
    reason: 'The middle of two places of an array is a place of it: the branch is there for the compiler.',
  },
  {
    mutant: /chains\/confirmation\.ts:33 ArrayDeclaration/,
    language: 'typescript',
    reason: 'What has no `fromUnits` is reached by no amount.',
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
