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
      'It spares the look for an account that is there; a part without the owner or address of its kind is refused by the check or, for want of an account, by the posting. Of one that is made again nothing is stored (ON CONFLICT DO NOTHING under three unique keys), and what kind an account is says whether it has an owner or an address (the check ledger_account_owner).',
  },
  {
    mutant: /^chain-sync\.take-lease: <= becomes < at ".*lease_expires_at <= now/,
    language: 'sql',
    reason:
      'Milliseconds beside microseconds: a lease that ends in this very one is taken a moment later, by the next try.',
  },
  {
    mutant:
      /^chain-sync\.delete-old-outages: (without "i\.created_at > o\.started_at - \$longest|> becomes >= at "WHERE i\.created_at > o\.started_at - \$longest)/,
    language: 'sql',
    reason:
      'It bounds what is read. An invoice is open for the longest time at most (create_invoice()): one that was made before is over before the outage, and another condition leaves it out.',
  },
  {
    mutant: /^deposits\.find-target: without "wallet_id IS NOT NULL"/,
    language: 'sql',
    reason: 'An invoice without a wallet gives a row without a number then, which is read as no wallet, as no row is.',
  },
  {
    mutant: /^note_event\(\): without ""of_type" IN \('invoice\.paymentLate', 'invoice\.overpaid'\)"$/,
    language: 'sql',
    reason: 'The last event that it is held against is never of another type than those and a change of status.',
  },
  {
    mutant: /^attach_deposit\(\): without "NOT FOUND"$/,
    language: 'sql',
    reason: 'Of a deposit that is not there no chain is known either, and the next condition finds no cursor of it.',
  },
  {
    mutant: /^deposits\.compare-bookings: without "b\.account_kind = 'custody'" \(3\)/,
    language: 'sql',
    reason:
      'Only a place has an address (the check ledger_account_owner): an account of another kind is never on another one.',
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
    mutant:
      /counted-money\.ts:46 EqualityOperator blockTime <= seenAt|state\.ts:111 EqualityOperator tolerated >= shown/,
    language: 'typescript',
    reason: 'Of two that are the same either is the earlier, or the greater.',
  },
  {
    mutant:
      /deposits\/confirmations\.ts:25 EqualityOperator confirmations >= 0n|deposits\/confirmations\.ts:31 ConditionalExpression false/,
    language: 'typescript',
    reason: 'None is 0 either way, and what is in no block has none: the condition before it has answered.',
  },
  {
    mutant: /invoices\/state\.ts:144 ConditionalExpression (true|false)/,
    language: 'typescript',
    reason:
      'Null compares as the beginning of time does: no chain is over before it, and every return has ended after it.',
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
