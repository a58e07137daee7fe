import type { ApiKeyView } from '@/lib/api-schema/api-keys';
import type { Database } from '@/lib/db/database';
import { AppError } from '@/lib/shared/errors';
import { flushApiKeyUses } from './flush-api-key-uses';
import { findOwnedKey, type OwnedKey } from './repository';
import { toApiKeyView } from './view';

/**
 * One key of a user.
 * @throws {AppError} `not_found`, also when it is another user's
 */
export async function getApiKey(db: Database, owned: OwnedKey): Promise<ApiKeyView> {
  await flushApiKeyUses(db);
  const row = await findOwnedKey(db, owned);
  if (!row) throw new AppError('not_found');
  return toApiKeyView(row);
}
