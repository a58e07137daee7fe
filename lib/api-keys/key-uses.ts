import type { Database } from '@/lib/db/database';
import { processSingleton } from '@/lib/shared/process-singleton';
import { hashApiKey, isApiKey } from './key-format';
import { addKeyUses, findActiveKey } from './repository';

/** Uses of a key since they were last written. */
interface KeyUses {
  count: number;
  lastUsedAt: Date;
}

/** Uses that are not in the database yet, by key id: one UPDATE per request would make a key's requests wait for its row. */
const pendingUses = () => processSingleton('api-key-uses', () => new Map<number, KeyUses>());

/**
 * Whose key it is, in one query, and counts the use. A text that cannot be a key needs
 * no database.
 * @returns null for an unknown or dead key, and for the key of a disabled user
 */
export async function authenticateApiKey(
  db: Database,
  key: string,
  now: Date,
): Promise<{ apiKeyId: number; userId: number } | null> {
  const found = isApiKey(key) ? await findActiveKey.first(db.pool, { keyHash: hashApiKey(key) }) : null;
  if (!found) return null;
  recordApiKeyUse(found.apiKeyId, now);
  return found;
}

/** Counts a use in memory; `flushApiKeyUses` writes it. */
export function recordApiKeyUse(apiKeyId: number, at: Date): void {
  const count = pendingUses().get(apiKeyId)?.count ?? 0;
  pendingUses().set(apiKeyId, { count: count + 1, lastUsedAt: at });
}

/** Writes the counted uses of all keys in one statement. When that fails they stay counted for the next time. */
export async function flushApiKeyUses(db: Database): Promise<void> {
  const buffer = pendingUses();
  if (buffer.size === 0) return;
  const uses = [...buffer];
  buffer.clear();
  try {
    await addKeyUses.count(db.pool, {
      ids: uses.map(([id]) => id),
      counts: uses.map(([, { count }]) => count),
      lastUsedAts: uses.map(([, { lastUsedAt }]) => lastUsedAt),
    });
  } catch (error) {
    for (const [id, { count, lastUsedAt }] of uses) {
      const since = buffer.get(id);
      buffer.set(id, { count: count + (since?.count ?? 0), lastUsedAt: since?.lastUsedAt ?? lastUsedAt });
    }
    throw error;
  }
}
