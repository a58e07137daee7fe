import { idColumn } from '@/lib/db/by-id';
import type { Database, Sql } from '@/lib/db/database';
import type { ApiKey } from '@/lib/db/generated/client';
import { prismaOf } from '@/lib/db/prisma';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';

/** A key as its owner sees it; the sealed values are read only by the one use case that opens them. */
const SHOWN = {
  id: true,
  uuid: true,
  name: true,
  description: true,
  webhookUrl: true,
  keyMask: true,
  isActive: true,
  usageCount: true,
  createdAt: true,
  lastUsedAt: true,
} as const;
export type ApiKeyRow = Row<ApiKey, keyof typeof SHOWN>;

/** What the owner decides about a key. */
export type ApiKeyFields = Row<ApiKey, 'name' | 'description' | 'webhookUrl'>;

/** What is stored of a new key. */
export type NewApiKey = ApiKeyFields &
  Pick<ApiKey, 'uuid' | 'userId' | 'keyHash' | 'keyMask' | 'keySealed' | 'secretSealed' | 'createdAt'>;

/** One key among its owner's: nobody else's is ever found. */
export interface OwnedKey {
  userId: number;
  /** Number or uuid, as the path gave it. */
  id: string;
}

function where({ userId, id }: OwnedKey) {
  return { userId, ...(idColumn(id) === 'uuid' ? { uuid: id } : { id: Number(id) }) };
}

const LOCK_OWNER = statement<{ userId: number }>(
  'api-keys.lock-owner',
  `SELECT pg_advisory_xact_lock(hashtextextended('api-keys of ' || $userId::int, 0))`,
);

const INSERT = statement<NewApiKey & { mostActive: number }, ApiKeyRow>(
  'api-keys.insert',
  `INSERT INTO api_key AS k (uuid, user_id, name, description, webhook_url, key_hash, key_mask, key_sealed, secret_sealed,
     created_at)
   SELECT $uuid, $userId, $name, $description, $webhookUrl, $keyHash, $keyMask, $keySealed, $secretSealed, $createdAt
   WHERE (SELECT count(*) FROM api_key a WHERE a.user_id = $userId AND a.is_active) < $mostActive
   RETURNING k.id, k.uuid, k.name, k.description, k.webhook_url AS "webhookUrl", k.key_mask AS "keyMask",
     k.is_active AS "isActive", k.usage_count AS "usageCount", k.created_at AS "createdAt",
     k.last_used_at AS "lastUsedAt"`,
);

/**
 * Stores a key unless its owner has `mostActive` active ones. The owner's creations wait for each other, so that two at
 * once cannot both take the last place.
 * @param sql a transaction
 * @returns null when there are that many
 */
export async function insertApiKey(sql: Sql, key: NewApiKey, mostActive: number): Promise<ApiKeyRow | null> {
  await LOCK_OWNER.count(sql, { userId: key.userId });
  return INSERT.first(sql, { ...key, mostActive });
}

/** One page of a user's keys, active ones first, of those the newest first; and how many there are. */
export async function selectOwnedKeys(
  db: Database,
  userId: number,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ rows: ApiKeyRow[]; total: number }> {
  const { apiKey } = prismaOf(db);
  const rows = await apiKey.findMany({
    where: { userId },
    orderBy: [{ isActive: 'desc' }, { id: 'desc' }],
    skip: (page - 1) * pageSize,
    take: pageSize,
    select: SHOWN,
  });
  return { rows, total: await apiKey.count({ where: { userId } }) };
}

export function findOwnedKey(db: Database, owned: OwnedKey): Promise<ApiKeyRow | null> {
  return prismaOf(db).apiKey.findFirst({ where: where(owned), select: SHOWN });
}

/** @returns null when no active key is meant */
export async function updateActiveKey(db: Database, owned: OwnedKey, fields: ApiKeyFields): Promise<ApiKeyRow | null> {
  const [updated] = await prismaOf(db).apiKey.updateManyAndReturn({
    where: { ...where(owned), isActive: true },
    data: { name: fields.name, description: fields.description, webhookUrl: fields.webhookUrl },
    select: SHOWN,
  });
  return updated ?? null;
}
