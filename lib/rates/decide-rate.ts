import { MAX_RATE_AHEAD_SECONDS } from '@/lib/shared/limits';
import { addSeconds } from '@/lib/shared/time';
import { aggregateRate, isApart, type JudgedQuote, type NoRate } from './aggregate';
import type { VenueQuote } from './venue';

/** A stored rate is contradicted by a price that is further from it than this share of it. */
const MAX_CONTRADICTION = '0.05';
/** A new level is believed when the venues have agreed on it, within this share, in so many rounds and for so long. */
const SAME_LEVEL = '0.02';
const CONFIRMING_ROUNDS = 3;
const CONFIRMING_SECONDS = 60;

/** Why a stored rate sells nothing, and how far the venues have confirmed another. */
export interface Doubt {
  since: Date;
  /** What they agreed on round after round up to now; null when they did not in the last one. */
  candidate: { rate: string; since: Date; rounds: number } | null;
}

/** The last agreed rate of a coin, EUR per whole coin as a decimal text. */
export interface KnownRate {
  rate: string;
  fetchedAt: Date;
  doubt: Doubt | null;
}

export type RateStep = { quotes: JudgedQuote[] } & (
  | { does: 'adopt'; rate: string }
  /** The stored rate goes on selling until it is too old. */
  | { does: 'keep'; reason: NoRate }
  /** The stored rate sells nothing from now on. */
  | { does: 'doubt'; reason: NoRate; doubt: Doubt }
);

/**
 * What follows for a coin's stored rate from one round of quotes. A rate that every usable price contradicts is in doubt at
 * once, whether or not the venues agree on another; the doubt ends with the next rate that is adopted, and nothing else. A
 * jump is adopted when three venues see it, when it has been confirmed, or when the stored rate is too old to guard against.
 * @param stored one whose time has not come yet counts as none
 * @param now database time
 */
export function decideRate(stored: KnownRate | null, quotes: readonly VenueQuote[], now: Date): RateStep {
  const known = stored && !isAhead(stored.fetchedAt, now) ? stored : null;
  const decision = aggregateRate(quotes, known && { rate: known.rate, at: known.fetchedAt }, now);
  const judged = { quotes: decision.quotes };
  if (decision.agreed) return { ...judged, does: 'adopt', rate: decision.rate };
  const { reason } = decision;
  if (!known) return { ...judged, does: 'keep', reason };
  let candidate: Doubt['candidate'] = null;
  if (decision.reason === 'jump') {
    candidate = confirm(known.doubt, decision.rate, now);
    if (isConfirmed(candidate, now)) return { ...judged, does: 'adopt', rate: decision.rate };
  }
  if (candidate || known.doubt || isContradicted(known.rate, decision.quotes))
    return { ...judged, does: 'doubt', reason, doubt: { since: known.doubt?.since ?? now, candidate } };
  return { ...judged, does: 'keep', reason };
}

/** Is this a time that has not come yet, by more than clocks and roundings explain? */
export function isAhead(at: Date, now: Date): boolean {
  return at > addSeconds(now, MAX_RATE_AHEAD_SECONDS);
}

function confirm(doubt: Doubt | null, rate: string, now: Date): NonNullable<Doubt['candidate']> {
  const before = doubt?.candidate;
  if (!before || isApart(rate, before.rate, SAME_LEVEL)) return { rate, since: now, rounds: 1 };
  // It stays the first of its level: a price that runs on from round to round is not confirmed by its neighbours.
  return { ...before, rounds: before.rounds + 1 };
}

function isConfirmed({ since, rounds }: NonNullable<Doubt['candidate']>, now: Date): boolean {
  return rounds >= CONFIRMING_ROUNDS && now >= addSeconds(since, CONFIRMING_SECONDS);
}

/** Outliers count: a rate that one venue still supports is not contradicted. What tells no price says nothing. */
function isContradicted(rate: string, quotes: readonly JudgedQuote[]): boolean {
  const prices = quotes.flatMap(({ mid, discarded }) =>
    mid !== null && (discarded === null || discarded === 'outlier') ? [mid] : [],
  );
  return prices.length > 0 && prices.every((price) => isApart(price, rate, MAX_CONTRADICTION));
}
