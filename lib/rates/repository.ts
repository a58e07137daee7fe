import type { CoinRate } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { Coin } from '@/lib/shared/coins';
import { MAX_RATE_AHEAD_SECONDS } from '@/lib/shared/limits';
import type { KnownRate } from './decide-rate';

/** The last agreed rate of a coin: EUR per whole coin as a decimal text, and when the venues said so. */
export type StoredRate = Row<CoinRate, 'fetchedAt'> & { rate: string };

type Candidate = Row<CoinRate, 'candidateSince' | 'candidateRounds'> & { candidateRate: string | null };
type RateRow = StoredRate & Row<CoinRate, 'doubtedAt'> & Candidate;

const FIND = statement<{ coin: Coin }, RateRow>(
  'rates.find',
  `SELECT trim_scale(rate)::text AS rate, fetched_at AS "fetchedAt", doubted_at AS "doubtedAt",
     trim_scale(candidate_rate)::text AS "candidateRate", candidate_since AS "candidateSince",
     candidate_rounds AS "candidateRounds"
   FROM coin_rate WHERE coin = $coin`,
  { prepared: true },
);

/** The stored rate of a coin, of whatever age and however doubtful, without zeros at its end. */
export async function findRate(sql: Parameters<typeof FIND.first>[0], coin: Coin): Promise<KnownRate | null> {
  const row = await FIND.first(sql, { coin });
  if (!row) return null;
  const { rate, fetchedAt, doubtedAt, candidateRate, candidateSince, candidateRounds } = row;
  const candidate = candidateRate !== null &&
    candidateSince !== null && { rate: candidateRate, since: candidateSince, rounds: candidateRounds };
  return { rate, fetchedAt, doubt: doubtedAt && { since: doubtedAt, candidate: candidate || null } };
}

/**
 * Stores an agreed rate with its evidence (JSON), which ends any doubt, unless what is there was agreed on or doubted later.
 * One that is ahead of its time does not count.
 */
export const saveRate = statement<StoredRate & { coin: Coin; sources: string }>(
  'rates.save',
  `INSERT INTO coin_rate (coin, rate, sources, fetched_at) VALUES ($coin, $rate, $sources, $fetchedAt)
   ON CONFLICT (coin) DO UPDATE SET rate = excluded.rate, sources = excluded.sources, fetched_at = excluded.fetched_at,
     doubted_at = NULL, candidate_rate = NULL, candidate_since = NULL, candidate_rounds = 0
   WHERE greatest(coin_rate.fetched_at, coin_rate.doubted_at) < excluded.fetched_at
     OR greatest(coin_rate.fetched_at, coin_rate.doubted_at) > clock_timestamp() + interval '${MAX_RATE_AHEAD_SECONDS} s'`,
);

/** Puts a stored rate in doubt, or notes how far another is confirmed, unless another rate took its place meanwhile. */
export const saveDoubt = statement<Row<CoinRate, 'fetchedAt' | 'doubtedAt'> & Candidate & { coin: Coin }>(
  'rates.save-doubt',
  `UPDATE coin_rate SET doubted_at = $doubtedAt, candidate_rate = $candidateRate, candidate_since = $candidateSince,
     candidate_rounds = $candidateRounds
   WHERE coin = $coin AND fetched_at = $fetchedAt`,
);

/** How old a coin's rate is, and whether it is in doubt: for the operator. */
export type RateState = Row<CoinRate, 'coin'> & { ageSeconds: number; isInDoubt: boolean };

/** The state of every coin that has a rate. */
export const selectRateStates = statement<Record<string, never>, RateState>(
  'rates.states',
  `SELECT coin, extract(epoch FROM now() - fetched_at)::float8 AS "ageSeconds", doubted_at IS NOT NULL AS "isInDoubt"
   FROM coin_rate ORDER BY coin`,
);
