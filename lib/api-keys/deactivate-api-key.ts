import type { ApiKeyView } from '@/lib/api-schema/api-keys';
import type { Database } from '@/lib/db/database';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { findOwnedKey, type OwnedKey } from './owned-key-repository';
import { getApiKey } from './read-api-keys';
import { disableKey } from './repository';

export interface DeactivateApiKeyOptions extends OwnedKey {
  clock: Clock;
}

/**
 * Makes a key dead for good: no request passes with it, and nothing more is sent to its webhook: the database cancels what
 * waits. Doing it again changes nothing.
 * @throws {AppError} `not_found`, also when it is another user's
 */
export async function deactivateApiKey(
  db: Database,
  { userId, id, clock }: DeactivateApiKeyOptions,
): Promise<ApiKeyView> {
  const existing = await findOwnedKey(db, { userId, id });
  if (!existing) throw new AppError('not_found');
  await disableKey.count(db.pool, { id: existing.id, now: clock() });
  return getApiKey(db, { userId, id });
}
