import type { Sql } from '@/lib/db/database';
import { depositsOfWallets } from '@/lib/deposits/deposits-of-wallets';
import type { DepositFact } from '@/lib/deposits/types';

/** Everything that arrived on an invoice's wallet, oldest first; nothing while it has none. */
export async function depositsOfInvoice(sql: Sql, { walletId }: { walletId: number | null }): Promise<DepositFact[]> {
  if (walletId === null) return [];
  return (await depositsOfWallets(sql, [walletId])).get(walletId) ?? [];
}
