import type { ApiKeyView } from '@/lib/api-schema/api-keys';
import type { Database } from '@/lib/db/database';
import { AppError } from '@/lib/shared/errors';
import { flushApiKeyUses } from './key-uses';
import { type ApiKeyRow, findOwnedKey, listOwnedKeys, type OwnedKey } from './owned-key-repository';

/** All keys of a user, newest first, dead ones too; uses that this process still holds are counted in. */
export async function listApiKeys(db: Database, userId: number): Promise<ApiKeyView[]> {
  await flushApiKeyUses(db);
  const rows = await listOwnedKeys(db, userId);
  return rows.map(toApiKeyView);
}

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

/** A key's row as its owner may see it at any time: masked, never with its secret. */
export function toApiKeyView({ keyMask, createdAt, lastUsedAt, ...row }: ApiKeyRow): ApiKeyView {
  return {
    ...row,
    key: keyMask,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
