import { enabledCoins } from '@/lib/config/chains';
import type { Database } from '@/lib/db/database';
import { getRate } from '@/lib/rates/get-rate';
import { COIN_INFO, type Coin } from '@/lib/shared/coins';
import { AppError } from '@/lib/shared/errors';
import { eurCentsToDueUnits } from '@/lib/shared/money';
import type { Clock } from '@/lib/shared/time';
import { type Pricing, selectLiveChains } from './creation-repository';

const RETRY_SECONDS = 10;

/**
 * Prices an amount in a coin at the current rate.
 * @throws AppError coin_not_enabled; rate_unavailable when no fresh rate exists; amount_too_small below the coin's minimum
 */
export async function priceIn(db: Database, coin: Coin, amountEurCents: number, clock: Clock): Promise<Pricing> {
  if (!enabledCoins().includes(coin)) throw new AppError('coin_not_enabled');
  const { rate } = await getRate(db, coin, clock);
  const amountUnits = eurCentsToDueUnits(amountEurCents, coin, rate);
  if (amountUnits < COIN_INFO[coin].minimumUnits) throw new AppError('amount_too_small');
  return { coin, rate, amountUnits };
}

/**
 * What a failure to store a price comes to: when the database refuses it, the rate was replaced or put in doubt since it was
 * read, and the next try reads another.
 */
export function priceFailure(error: unknown): unknown {
  const isRefused = error instanceof Error && 'constraint' in error && error.constraint === 'price_founded';
  return isRefused ? new AppError('rate_unavailable', { retryAfterSeconds: RETRY_SECONDS }) : error;
}

/** The refusal that tells why no address could be taken for a coin. */
export async function coinRefusal(db: Database, coin: Coin, now: Date): Promise<AppError> {
  const isLive = (await selectLiveChains(db.pool, now)).includes(COIN_INFO[coin].chain);
  return new AppError(isLive ? 'no_address_available' : 'chain_unavailable', { retryAfterSeconds: RETRY_SECONDS });
}
