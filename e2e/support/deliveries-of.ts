import type { Instance } from '@/starter/instance';
import { ownerQuery } from './owner-query';

/** Every webhook delivery of an invoice: how it stands, and after how many attempts. */
export function deliveriesOf(instance: Instance, uuid: string): Promise<unknown[]> {
  return ownerQuery(
    instance,
    `SELECT d.status, d.attempt_count AS attempts
     FROM webhook_delivery d JOIN invoice_event e ON e.id = d.event_id JOIN invoice i ON i.id = e.invoice_id
     WHERE i.uuid = $1 ORDER BY e.sequence, d.api_key_id`,
    [uuid],
  );
}
