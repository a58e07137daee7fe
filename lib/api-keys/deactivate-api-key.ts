import type { ApiKeyView } from '@/lib/api-schema/api-keys';
import type { Database, Sql } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { findOwnedKey, type OwnedKey } from './owned-key-repository';
import { getApiKey } from './read-api-keys';
import { disableKey } from './repository';

export interface DeactivateApiKeyOptions extends OwnedKey {
  /** Cancels the key's pending webhook deliveries inside the same transaction (a domain above this one does it). */
  cancelDeliveries: (sql: Sql, apiKeyId: number) => Promise<unknown>;
  clock: Clock;
}

/**
 * Makes a key dead for good: no request passes with it, and nothing more is sent to its webhook. Doing it again
 * changes nothing.
 * @throws {AppError} `not_found`, also when it is another user's
 */
export async function deactivateApiKey(
  db: Database,
  { userId, id, cancelDeliveries, clock }: DeactivateApiKeyOptions,
): Promise<ApiKeyView> {
  const existing = await findOwnedKey(db, { userId, id });
  if (!existing) throw new AppError('not_found');
  await transaction(db, async (sql) => {
    await disableKey.count(sql, { id: existing.id, now: clock() });
    await cancelDeliveries(sql, existing.id);
  });
  return getApiKey(db, { userId, id });
}
