import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '@/lib/logging/logger';
import { backoffMs } from '@/lib/shared/backoff';

/** A connection that died without a word is found at the latest after this long. */
const PROBE_MS = 15_000;
const RECONNECT_MS = 1_000;
const FAREWELL_MS = 1_000;

/** Called with each notification; after a reconnect with every channel and an empty payload, since some may be lost. */
export type OnNotify = (channel: string, payload: string) => void;

/**
 * Listens on a connection of its own, and connects again whenever it breaks, until the signal aborts.
 * A notification is a hint: whoever listens polls as well.
 * @param url a direct connection, never a transaction pooler
 */
export async function listen(
  url: string,
  channels: readonly string[],
  onNotify: OnNotify,
  signal: AbortSignal,
  logger: Logger,
): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await listenOnce(url, channels, onNotify, signal, () => {
        failures = 0;
      });
    } catch (error) {
      if (signal.aborted) break;
      failures += 1;
      logger.warn({ err: error, channels, failures }, 'listening connection lost');
      await sleep(backoffMs(failures, RECONNECT_MS, Math.random()), undefined, { signal }).catch(() => undefined);
    }
  }
}

async function listenOnce(
  url: string,
  channels: readonly string[],
  onNotify: OnNotify,
  signal: AbortSignal,
  onConnected: () => void,
): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'incassa-listen',
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    keepAlive: true,
  });
  const broken = new Promise<never>((_, reject) => {
    client.on('error', reject);
    client.on('end', () => reject(new Error('The connection ended.')));
  });
  broken.catch(() => undefined);
  client.on('notification', ({ channel, payload }) => onNotify(channel, payload ?? ''));
  try {
    await client.connect();
    for (const channel of channels) await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    onConnected();
    for (const channel of channels) onNotify(channel, '');
    while (!signal.aborted) {
      await Promise.race([broken, sleep(PROBE_MS, undefined, { signal })]);
      await client.query('SELECT 1');
    }
  } finally {
    // A peer that is gone answers no farewell.
    await Promise.race([client.end().catch(() => undefined), sleep(FAREWELL_MS, undefined, { ref: false })]);
  }
}
