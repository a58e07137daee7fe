import type { Sql } from '@/lib/db/database';
import { sumDeposits } from './repository';
import type { WalletReceipts } from './types';

/**
 * What some wallets received on the coin's current chain, in base units, confirmed and not yet confirmed. Orphaned deposits
 * and those of a replaced devnet do not count. One query for any number of wallets.
 * @returns an entry for every wallet asked for
 */
export async function receiptsOfWallets(sql: Sql, walletIds: number[]): Promise<Map<number, WalletReceipts>> {
  const sums = await sumDeposits(sql, walletIds);
  return new Map(walletIds.map((id) => [id, sums.get(id) ?? { confirmedUnits: 0n, unconfirmedUnits: 0n }]));
}
