import type { Database } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { currentRate } from './current-rate';
import type { StoredRate } from './repository';

/** An invoice may be priced with a rate up to this age. */
const MAX_AGE_MS = 5 * 60_000;
const RETRY_AFTER_SECONDS = 30;

/**
 * The rate to price an invoice with.
 * @returns EUR per whole coin as a decimal text, and when the venues agreed on it
 * @throws AppError rate_unavailable when the coin has none, or none younger than 5 minutes
 */
export async function getRate(db: Pick<Database, 'pool'>, coin: Coin, clock: Clock): Promise<StoredRate> {
  const rate = await currentRate(db, coin, clock);
  if (!rate || clock().getTime() - rate.fetchedAt.getTime() > MAX_AGE_MS) {
    throw new AppError('rate_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
  return rate;
}
