import { requireEnv } from '@/lib/config/env';
import type { Database } from '@/lib/db/database';
import { webhookBody } from '@/lib/invoices/announcements';
import { webhookUrlPolicy } from '@/lib/security/webhook-url-policy';
import { claimDeliveries, processDelivery } from '@/lib/webhooks/process-delivery';
import type { Waker } from '@/workers/runtime/waker';
import type { WorkerContext } from '@/workers/runtime/worker-context';
import { claimLoop } from './claim-loop';

/** At most four of these belong to one endpoint, so that sixteen that hang at once delay nobody yet. They cost only sockets. */
const CONCURRENCY = 64;

/** Sends webhooks. @throws Error when APP_SEAL_KEY is not configured */
export async function runDeliveries(
  db: Database,
  { signal, logger, clock }: WorkerContext,
  waker: Waker,
): Promise<void> {
  const sealKey = requireEnv('APP_SEAL_KEY');
  const policy = webhookUrlPolicy();
  const bodyOf = (eventId: bigint) => webhookBody(db.pool, eventId);
  await claimLoop({
    name: 'deliveries',
    concurrency: CONCURRENCY,
    claim: (limit) => claimDeliveries(db.pool, { limit }),
    handle: (delivery, stop) => processDelivery(db, delivery, { sealKey, policy, clock, stop, bodyOf }, logger),
    waker,
    signal,
    logger,
  });
}
