import type { WalletView } from '@/lib/api-schema/wallets';
import { enabledCoins } from '@/lib/config/chains';
import type { Database } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { getWallet } from './read-wallets';
import { claimPrimaryWallet } from './repository';

const RETRY_SECONDS = 10;
/** PostgreSQL's SQLSTATE for a broken unique key: the merchant has a primary wallet of the coin. */
const UNIQUE_VIOLATION = '23505';

/**
 * Gives a merchant the primary wallet of a coin: an address from the pool, which is watched already.
 * @throws AppError coin_not_enabled, wallet_exists, no_address_available
 */
export async function createPrimaryWallet(db: Database, userId: number, coin: Coin, clock: Clock): Promise<WalletView> {
  if (!enabledCoins().includes(coin)) throw new AppError('coin_not_enabled');
  const wallet = await claimPrimaryWallet.first(db.pool, { userId, coin }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? new AppError('wallet_exists', { cause: error }) : error;
  });
  if (!wallet) throw new AppError('no_address_available', { retryAfterSeconds: RETRY_SECONDS });
  return getWallet(db, userId, String(wallet.id), clock);
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION;
}
