import type { Instance } from '@/starter/instance';
import { ownerQuery } from './owner-query';

/** An address that the watcher knows and nobody holds: the one that the pool hands out last. */
export async function freeAddress(instance: Instance): Promise<string> {
  const rows = await ownerQuery(
    instance,
    `SELECT address FROM pool_address WHERE family = 'EVM' AND purpose = 'invoice' AND claimed_at IS NULL
     ORDER BY derivation_index DESC LIMIT 1`,
  );
  const [row] = rows as { address: string }[];
  if (!row) throw new Error('The pool is empty.');
  return row.address;
}
