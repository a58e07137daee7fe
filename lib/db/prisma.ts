import { PrismaPg } from '@prisma/adapter-pg';
import type { Database } from './database';
import { PrismaClient } from './generated/client';

const clients = new WeakMap<Database['pool'], PrismaClient>();

/** The Prisma client over a database's own connections, made at the first use: a process that has none never loads it. */
export function prismaOf({ pool }: Database): PrismaClient {
  const known = clients.get(pool);
  if (known) return known;
  const client = new PrismaClient({ adapter: new PrismaPg(pool) });
  clients.set(pool, client);
  return client;
}
