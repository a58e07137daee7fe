import type { Instance } from '@/starter/instance';
import { ownerQuery } from './owner-query';

/** Beyond what a block may still bring after an invoice's end: Ethereum's 60 s. */
const OVER_SINCE = '2 minutes';

/** Moves an invoice's whole life back, so that its time was over two minutes ago: nobody waits for five. */
export async function ageInvoice(instance: Instance, uuid: string): Promise<void> {
  await ownerQuery(
    instance,
    `UPDATE invoice SET created_at = created_at - (expires_at - now()) - $2::interval, expires_at = now() - $2::interval
     WHERE uuid = $1`,
    [uuid, OVER_SINCE],
  );
}
