import type { Database } from '@/lib/db/database';
import { pendingUses } from './pending-uses';
import { addKeyUses } from './repository';

/** Writes the counted uses of all keys in one statement. When that fails they stay counted for the next time. */
export async function flushApiKeyUses(db: Database): Promise<void> {
  const buffer = pendingUses();
  if (buffer.size === 0) return;
  const uses = [...buffer].map(([apiKeyId, { count, lastUsedAt }]) => ({ apiKeyId, count, lastUsedAt }));
  buffer.clear();
  try {
    await addKeyUses(db, uses);
  } catch (error) {
    for (const { apiKeyId, count, lastUsedAt } of uses) {
      const since = buffer.get(apiKeyId);
      buffer.set(apiKeyId, { count: count + (since?.count ?? 0), lastUsedAt: since?.lastUsedAt ?? lastUsedAt });
    }
    throw error;
  }
}
