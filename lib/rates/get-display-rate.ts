import type { Database } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';
import type { Clock } from '@/lib/shared/time';
import { currentRate } from './current-rate';
import type { StoredRate } from './repository';

/** A value in EUR is shown with a rate up to this age. */
const MAX_AGE_MS = 10 * 60_000;

/**
 * The rate to show a value with, never to price with.
 * @returns null when there is none younger than 10 minutes: the value is then not known, which is not zero
 */
export async function getDisplayRate(db: Pick<Database, 'pool'>, coin: Coin, clock: Clock): Promise<StoredRate | null> {
  const rate = await currentRate(db, coin, clock);
  return rate && clock().getTime() - rate.fetchedAt.getTime() <= MAX_AGE_MS ? rate : null;
}
