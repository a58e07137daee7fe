import type { Sql } from '@/lib/db/database';
import { MAX_LISTED } from '@/lib/shared/limits';
import { confirmationsOf, isConfirmed } from './confirmations';
import type { DepositFact } from './deposit';
import { listDeposits } from './repository';

/**
 * What arrived on some wallets, with its confirmations at the cursor of this moment; orphaned deposits included, those of a
 * replaced devnet not. Of very many on one wallet the largest. One query for any number of wallets.
 * @returns per wallet, oldest first; wallets without deposits are absent
 */
export async function depositsOfWallets(sql: Sql, walletIds: readonly number[]): Promise<Map<number, DepositFact[]>> {
  const byWallet = new Map<number, DepositFact[]>();
  for (const { height, confirmedHeight, orphanedAt, ...deposit } of await listDeposits(sql, walletIds, MAX_LISTED)) {
    const { extraConfirmations, ...shown } = deposit;
    const mined = { blockHeight: deposit.blockHeight, orphaned: orphanedAt !== null, extraConfirmations };
    const fact = {
      ...shown,
      orphaned: mined.orphaned,
      confirmations: confirmationsOf(mined, { height }),
      isConfirmed: isConfirmed(mined, { height, confirmedHeight }),
    };
    const known = byWallet.get(deposit.walletId);
    if (known) known.push(fact);
    else byWallet.set(deposit.walletId, [fact]);
  }
  return byWallet;
}
