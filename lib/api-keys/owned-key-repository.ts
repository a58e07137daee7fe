import { idColumn } from '@/lib/db/by-id';
import type { Database } from '@/lib/db/database';
import type { ApiKey } from '@/lib/db/generated/client';
import { prismaOf } from '@/lib/db/prisma';
import type { Row } from '@/lib/db/row';

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
type NewApiKey = ApiKeyFields &
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

export function insertApiKey(db: Database, key: NewApiKey): Promise<ApiKeyRow> {
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
