import { env } from '@/lib/config/env';

/** Where webhooks may go on this instance. */
export interface WebhookUrlPolicy {
  /** Loopback hosts are allowed, over http too and on any port that is not refused. */
  allowLoopback: boolean;
  /** Ports of the instance itself and of its devnet: never a target on loopback. */
  refusedPorts: readonly number[];
}

/** The policy that this process is configured with. */
export function webhookUrlPolicy(): WebhookUrlPolicy {
  return { allowLoopback: env().WEBHOOK_ALLOW_LOOPBACK, refusedPorts: env().WEBHOOK_REFUSED_PORTS };
}
