import type { Database, Sql } from '@/lib/db/database';
import { prismaOf } from '@/lib/db/prisma';

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

export interface ApiKeyRow {
  id: number;
  uuid: string;
  name: string;
  description: string | null;
  webhookUrl: string | null;
  keyMask: string;
  isActive: boolean;
  usageCount: number;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** What the owner decides about a key. */
export interface ApiKeyFields {
  name: string;
  description: string | null;
  webhookUrl: string | null;
}

/** One key among its owner's: nobody else's is ever found. */
export interface OwnedKey {
  userId: number;
  /** Number or uuid, as the path gave it. */
  id: string;
}

function where({ userId, id }: OwnedKey) {
  return { userId, ...(id.includes('-') ? { uuid: id } : { id: Number(id) }) };
}

export function insertApiKey(
  db: Database,
  key: ApiKeyFields & {
    uuid: string;
    userId: number;
    keyHash: string;
    keyMask: string;
    keySealed: Uint8Array<ArrayBuffer>;
    secretSealed: Uint8Array<ArrayBuffer>;
    createdAt: Date;
  },
): Promise<ApiKeyRow> {
  return prismaOf(db).apiKey.create({ data: key, select: SHOWN });
}

/** Newest first. */
export function listOwnedKeys(db: Database, userId: number): Promise<ApiKeyRow[]> {
  return prismaOf(db).apiKey.findMany({ where: { userId }, orderBy: { id: 'desc' }, select: SHOWN });
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

/** Makes an active key dead; a dead one stays as it is. */
export async function disableKey(sql: Sql, id: number, disabledAt: Date): Promise<void> {
  await sql.query('UPDATE api_key SET is_active = false, disabled_at = $2 WHERE id = $1 AND is_active', [
    id,
    disabledAt,
  ]);
}

/** Writes down who asks for the whole key, in the statement that reads it: no reveal goes without its record. */
export async function readSealedKey(
  { pool }: Database,
  keyId: number,
  userId: number,
  at: Date,
): Promise<{ uuid: string; keySealed: Buffer } | null> {
  const { rows } = await pool.query<{ uuid: string; keySealed: Buffer }>(
    `WITH owned AS (SELECT id, uuid, key_sealed FROM api_key WHERE id = $1 AND user_id = $2),
          audit AS (INSERT INTO api_key_audit (api_key_id, user_id, action, at) SELECT id, $2, 'reveal', $3 FROM owned)
     SELECT uuid, key_sealed AS "keySealed" FROM owned`,
    [keyId, userId, at],
  );
  return rows[0] ?? null;
}

/** An active key of a user who is not disabled. */
export async function findKeyByHash(
  { pool }: Database,
  keyHash: string,
): Promise<{ apiKeyId: number; userId: number } | null> {
  const { rows } = await pool.query<{ apiKeyId: number; userId: number }>(
    `SELECT k.id AS "apiKeyId", k.user_id AS "userId" FROM api_key k JOIN user_account u ON u.id = k.user_id
     WHERE k.key_hash = $1 AND k.is_active AND u.disabled_at IS NULL`,
    [keyHash],
  );
  return rows[0] ?? null;
}

/** Adds uses to many keys in one statement; locks them in the order of their ids. */
export async function addKeyUses(
  { pool }: Database,
  uses: { apiKeyId: number; count: number; lastUsedAt: Date }[],
): Promise<void> {
  await pool.query(
    `WITH used AS (SELECT * FROM unnest($1::int[], $2::int[], $3::timestamptz[]) AS u(id, count, last_used_at)),
          locked AS (SELECT k.id FROM api_key k JOIN used USING (id) ORDER BY k.id FOR UPDATE OF k)
     UPDATE api_key k SET usage_count = k.usage_count + used.count,
                          last_used_at = GREATEST(k.last_used_at, used.last_used_at)
     FROM used JOIN locked USING (id) WHERE k.id = used.id`,
    [uses.map((use) => use.apiKeyId), uses.map((use) => use.count), uses.map((use) => use.lastUsedAt)],
  );
}
