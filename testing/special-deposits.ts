import type { Sql } from '@/lib/db/database';
import type { FoundTransfer } from '@/lib/deposits/deposit';
import { type MadeInvoice, makeDeposit } from './factories';
import { paymentOf } from './made-chain';

/** Columns of a deposit that waits to be mined. */
export const WAITS = 'block_height = NULL, block_hash = NULL, block_time = NULL';
/** Columns of a deposit on another chain than Ethereum, in its coin. */
export const ON_BSC = "chain = 'bsc', coin = 'BNB'";

/**
 * A deposit as `makeDeposit` makes it, but for what is particular about it.
 * @param columns SQL of its columns: `epoch = 1, orphaned_at = now()`
 */
export async function makeSpecialDeposit(
  sql: Sql,
  made: Parameters<typeof makeDeposit>[1],
  columns = '',
): Promise<bigint> {
  const { id } = await makeDeposit(sql, made);
  if (columns) await sql.query(`UPDATE deposit SET ${columns} WHERE id = ${id}`);
  return BigInt(id);
}

/** A payment of 5 with key and hash `k` that spends `out`, to an invoice's address; it waits where it is in no block. */
export function foundTransfer(
  { poolAddressId }: MadeInvoice,
  given: Partial<FoundTransfer['transfer']> = {},
  block: FoundTransfer['block'] = null,
): FoundTransfer {
  const transfer = { ...paymentOf('k', '0x1', 5n), spends: ['out'], ...given };
  return { transfer, poolAddressId: BigInt(poolAddressId), block, extraConfirmations: 0 };
}
