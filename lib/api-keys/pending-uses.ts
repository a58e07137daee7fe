import { processSingleton } from '@/lib/shared/process-singleton';

/** Uses of a key since they were last written. */
export interface KeyUses {
  count: number;
  lastUsedAt: Date;
}

/**
 * Uses that are not in the database yet, by key id. One UPDATE per request would make every request of a key wait for
 * the same row.
 */
export function pendingUses(): Map<number, KeyUses> {
  return processSingleton('api-key-uses', () => new Map<number, KeyUses>());
}
