import { pendingUses } from './pending-uses';

/** Counts a use in memory; `flushApiKeyUses` writes it. */
export function recordApiKeyUse(apiKeyId: number, at: Date): void {
  const count = pendingUses().get(apiKeyId)?.count ?? 0;
  pendingUses().set(apiKeyId, { count: count + 1, lastUsedAt: at });
}
