import type { Sql } from '@/lib/db/database';
import { confirmationsOf } from './confirmations';
import { listDeposits } from './repository';
import type { DepositFact } from './types';

/**
 * Everything that arrived on some wallets, with its confirmations at the cursor of this moment; orphaned deposits included,
 * those of a replaced devnet not. One query for any number of wallets.
 * @returns per wallet, oldest first; wallets without deposits are absent
 */
export async function depositsOfWallets(sql: Sql, walletIds: number[]): Promise<Map<number, DepositFact[]>> {
  const byWallet = new Map<number, DepositFact[]>();
  for (const { cursorHeight, neededConfirmations, ...deposit } of await listDeposits(sql, walletIds)) {
    const confirmations = confirmationsOf(deposit, cursorHeight);
    const fact = { ...deposit, confirmations, isConfirmed: confirmations >= neededConfirmations };
    const known = byWallet.get(deposit.walletId);
    if (known) known.push(fact);
    else byWallet.set(deposit.walletId, [fact]);
  }
  return byWallet;
}
