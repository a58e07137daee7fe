import type { WalletView } from '@/lib/api-schema/wallets';
import { enabledCoins } from '@/lib/chains/registry';
import type { Database } from '@/lib/db/database';
import { isUniqueViolation } from '@/lib/db/is-unique-violation';
import { COIN_INFO, type Coin } from '@/lib/shared/coins';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { getWallet } from './get-wallet';
import { claimPrimaryWallet } from './repository';

const RETRY_SECONDS = 10;

/**
 * Gives a merchant the primary wallet of a coin: an address from the pool, which is watched already.
 * @throws AppError coin_not_enabled, wallet_exists, no_address_available
 */
export async function createPrimaryWallet(db: Database, userId: number, coin: Coin, clock: Clock): Promise<WalletView> {
  if (!enabledCoins().includes(coin)) throw new AppError('coin_not_enabled');
  const id = await claimPrimaryWallet(db.pool, userId, coin, COIN_INFO[coin].family).catch((error: unknown) => {
    throw isUniqueViolation(error) ? new AppError('wallet_exists', { cause: error }) : error;
  });
  if (id === null) throw new AppError('no_address_available', { retryAfterSeconds: RETRY_SECONDS });
  return getWallet(db, userId, String(id), clock);
}
