import type { Sql } from '@/lib/db/database';

/**
 * Locks the wallets' accounts in the order of their ids until the transaction ends.
 * @returns what each holds, in base units; wallets that never held anything are absent
 */
export async function lockBalances(sql: Sql, walletIds: readonly number[]): Promise<Map<number, bigint>> {
  const { rows } = await sql.query<{ walletId: number; balance: string }>(
    'SELECT wallet_id AS "walletId", balance FROM lock_balances($1::int[])',
    [walletIds],
  );
  return new Map(rows.map((row) => [row.walletId, BigInt(row.balance)]));
}
