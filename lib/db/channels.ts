import type { Database } from './database';
import { statement } from './statement';

/** Every channel that this product notifies and listens on. */
export const CHANNELS = {
  /** An invoice changed; the payload is its uuid. */
  invoice: 'incassa_invoice',
  /** A webhook delivery is due. */
  delivery: 'incassa_delivery',
  /** The pool has addresses that watchers do not know yet. */
  pool: 'incassa_pool',
} as const;

export interface Notification {
  channel: keyof typeof CHANNELS;
  payload?: string;
}

const sendNotifications = statement<{ channels: string[]; payloads: string[] }>(
  'db.notify',
  'SELECT pg_notify(channel, payload) FROM unnest($channels::text[], $payloads::text[]) AS sent (channel, payload)',
  { prepared: true },
);

/**
 * Wakes whoever listens, in one round trip. Call it after the commit: inside a hot transaction NOTIFY serialises commits. A
 * wake-up that is lost costs a poll's delay and nothing else, so that a failure here is no failure of the caller's.
 */
export async function notify(db: Pick<Database, 'pool'>, notifications: readonly Notification[]): Promise<void> {
  if (notifications.length === 0) return;
  const channels = notifications.map(({ channel }) => CHANNELS[channel]);
  const payloads = notifications.map(({ payload }) => payload ?? '');
  await sendNotifications.count(db.pool, { channels, payloads }).catch(() => undefined);
}
