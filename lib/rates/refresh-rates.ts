import type { Database } from '@/lib/db/database';
import type { Logger } from '@/lib/logging/logger';
import { COINS, type Coin } from '@/lib/shared/coins';
import type { Clock } from '@/lib/shared/time';
import { aggregateRate } from './aggregate';
import { findRate, saveRate } from './repository';
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
 * whose age grows until it is no longer used.
 * @returns the coins that have a new rate
 * @throws Error when no coin has one
 */
export async function refreshRates(db: Pick<Database, 'pool'>, options: RefreshOptions): Promise<Coin[]> {
  const { clock, logger } = options;
  const { quotes, failures } = await askVenues(options);
  const now = clock();
  const fresh: Coin[] = [];
  for (const coin of COINS) {
    const ofCoin = quotes.filter((quote) => quote.coin === coin);
    if (ofCoin.length === 0) continue;
    const last = await findRate.first(db.pool, { coin });
    const decision = aggregateRate(ofCoin, last && { rate: last.rate, at: last.fetchedAt }, now);
    if (!decision.agreed) {
      logger.warn({ coin, reason: decision.reason, quotes: decision.quotes, failures }, 'no rate agreed');
      continue;
    }
    const sources = JSON.stringify({ quotes: decision.quotes, failures });
    await saveRate.count(db.pool, { coin, rate: decision.rate, fetchedAt: now, sources });
    fresh.push(coin);
  }
  if (fresh.length === 0)
    throw new Error(`No coin has a new rate. ${failures.map(({ error }) => error).join(' ')}`.trim());
  return fresh;
}

async function askVenues({ venues, signal }: RefreshOptions) {
  const answers = await Promise.allSettled(venues.map((venue) => venue.fetchQuotes(signal)));
  const quotes: VenueQuote[] = [];
  const failures: VenueFailure[] = [];
  for (const [index, answer] of answers.entries()) {
    if (answer.status === 'fulfilled') quotes.push(...answer.value);
    else failures.push({ venue: venues[index]?.name ?? '', error: String(answer.reason) });
  }
  return { quotes, failures };
}
