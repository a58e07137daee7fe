import type { ApiKeyView } from '@/lib/api-schema/api-keys';
import type { Database } from '@/lib/db/database';
import { AppError } from '@/lib/shared/errors';
import { flushApiKeyUses } from './key-uses';
import { type ApiKeyRow, findOwnedKey, type OwnedKey, selectOwnedKeys } from './owned-key-repository';

/**
 * One page of a user's keys: active ones first, of those the newest first, dead ones too; and how many there are in all.
 * Uses that this process still holds are counted in.
 */
export async function listApiKeys(
  db: Database,
  userId: number,
  query: { page: number; pageSize: number },
): Promise<{ items: ApiKeyView[]; total: number }> {
  await flushApiKeyUses(db);
  const { rows, total } = await selectOwnedKeys(db, userId, query);
  return { items: rows.map(toApiKeyView), total };
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
