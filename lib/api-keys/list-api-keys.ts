import type { ApiKeyView } from '@/lib/api-schema/api-keys';
import type { Database } from '@/lib/db/database';
import { flushApiKeyUses } from './flush-api-key-uses';
import { listOwnedKeys } from './repository';
import { toApiKeyView } from './view';

/** All keys of a user, newest first, dead ones too; uses that this process still holds are counted in. */
export async function listApiKeys(db: Database, userId: number): Promise<ApiKeyView[]> {
  await flushApiKeyUses(db);
  const rows = await listOwnedKeys(db, userId);
  return rows.map(toApiKeyView);
}
