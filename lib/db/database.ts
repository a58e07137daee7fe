import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from './generated/client';

/** One process's door to Postgres: raw SQL and Prisma over the same connections. */
export interface Database {
  pool: pg.Pool;
  prisma: PrismaClient;
}

/** Where a statement runs: the pool, or one connection inside a transaction. */
export type Sql = Pick<pg.PoolClient, 'query'>;

export interface DatabaseOptions {
  /** Most connections at a time. */
  max: number;
  /** Name shown in pg_stat_activity. */
  applicationName: string;
}

/**
 * Opens a pool; nothing connects before the first statement. A statement or a lock wait that hangs ends by itself.
 * @param url connection string with the role's own login
 */
export function openDatabase(url: string, { max, applicationName }: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: applicationName,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 30_000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 30_000,
  });
  // An idle connection that the server closes emits here; the pool replaces it at the next use.
  pool.on('error', () => undefined);
  return { pool, prisma: new PrismaClient({ adapter: new PrismaPg(pool) }) };
}

/** Ends all connections once their statements are done. */
export async function closeDatabase(db: Database): Promise<void> {
  await db.prisma.$disconnect();
  if (!db.pool.ended) await db.pool.end();
}
