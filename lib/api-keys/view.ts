import type { ApiKeyView } from '@/lib/api-schema/api-keys';
import type { ApiKeyRow } from './repository';

/** A key's row as its owner may see it at any time: masked, never with its secret. */
export function toApiKeyView({ keyMask, createdAt, lastUsedAt, ...row }: ApiKeyRow): ApiKeyView {
  return {
    ...row,
    key: keyMask,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
