import type { Database } from '@/lib/db/database';
import type { Logger } from '@/lib/logging/logger';
import { COINS, type Coin } from '@/lib/shared/coins';
import type { Clock } from '@/lib/shared/time';
import { type Doubt, decideRate, type KnownRate } from './decide-rate';
import { findRate, saveDoubt, saveRate } from './repository';
import type { Venue, VenueQuote } from './venue';

export interface RefreshOptions {
  venues: readonly Venue[];
  clock: Clock;
  logger: Logger;
  signal: AbortSignal;
}

/** A venue that did not answer, kept beside the quotes of those that did. */
interface VenueFailure {
  venue: string;
  error: string;
}

/**
 * Asks all venues at once and stores, per coin, the rate on which they agree. A coin without agreement keeps its last rate,
 * whose age grows until it is no longer used; one that they all contradict is no longer used at once.
 * @returns the coins that have a new rate
 * @throws Error when no coin has one, nor a rate in doubt: that is looked at again as soon as ever
 */
export async function refreshRates(db: Pick<Database, 'pool'>, options: RefreshOptions): Promise<Coin[]> {
  const { clock, logger } = options;
  const { quotes, failures } = await askVenues(options);
  const now = clock();
  const fresh: Coin[] = [];
  let hasDoubt = false;
  for (const coin of COINS) {
    const ofCoin = quotes.filter((quote) => quote.coin === coin);
    if (ofCoin.length === 0) continue;
    const stored = await findRate(db.pool, coin);
    const step = decideRate(stored, ofCoin, now);
    if (step.does === 'adopt') {
      const sources = JSON.stringify({ quotes: step.quotes, failures });
      await saveRate.count(db.pool, { coin, rate: step.rate, fetchedAt: now, sources });
      fresh.push(coin);
      if (stored?.doubt) logger.info({ coin, rate: step.rate, instead: stored.rate }, 'rate no longer in doubt');
      continue;
    }
    logger.warn({ coin, reason: step.reason, quotes: step.quotes, failures }, 'no rate agreed');
    if (step.does === 'doubt' && stored) {
      hasDoubt = true;
      await suspend(db, { coin, stored, doubt: step.doubt }, logger);
    }
  }
  if (fresh.length === 0 && !hasDoubt)
    throw new Error(`No coin has a new rate. ${failures.map(({ error }) => error).join(' ')}`.trim());
  return fresh;
}

/** Puts the stored rate in doubt and says so once; then notes how far another one is confirmed. */
async function suspend(
  db: Pick<Database, 'pool'>,
  { coin, stored, doubt }: { coin: Coin; stored: KnownRate; doubt: Doubt },
  logger: Logger,
): Promise<void> {
  const { since, candidate } = doubt;
  await saveDoubt.count(db.pool, {
    coin,
    fetchedAt: stored.fetchedAt,
    doubtedAt: since,
    candidateRate: candidate?.rate ?? null,
    candidateSince: candidate?.since ?? null,
    candidateRounds: candidate?.rounds ?? 0,
  });
  if (!stored.doubt)
    logger.error({ coin, rate: stored.rate, candidate: candidate?.rate }, 'rate in doubt: nothing is sold at it');
}

async function askVenues({ venues, signal, clock }: RefreshOptions) {
  const answers = await Promise.allSettled(venues.map((venue) => venue.fetchQuotes(signal, clock)));
  const quotes: VenueQuote[] = [];
  const failures: VenueFailure[] = [];
  for (const [index, answer] of answers.entries()) {
    if (answer.status === 'fulfilled') quotes.push(...answer.value);
    else failures.push({ venue: venues[index]?.name ?? '', error: String(answer.reason) });
  }
  return { quotes, failures };
}
