import pg from 'pg';

/** One process's door to Postgres. */
export interface Database {
  pool: pg.Pool;
}

/** Where a statement runs: the pool, or one connection inside a transaction. */
export type Sql = Pick<pg.PoolClient, 'query'>;

export interface DatabaseOptions {
  /** Most connections at a time. */
  max: number;
  /** Name shown in pg_stat_activity. */
  applicationName: string;
  /** How long things may take; `WORK` when left out. */
  patience?: Patience;
}

/** Milliseconds after which the server gives up, and the longer one after which we do because it says nothing at all. */
export interface Patience {
  /** A wait for a lock. */
  lockMs: number;
  statementMs: number;
  answerMs: number;
}

/** Of work that nobody waits for. What may take longer says so itself (snapshot.ts). */
const WORK: Patience = { lockMs: 10_000, statementMs: 30_000, answerMs: 35_000 };

const INTEGRAL = /^-?\d+$/;

/** Postgres's types whose JavaScript form is ours: what counts is a bigint, whatever its size. */
const PARSERS: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.INT8]: BigInt,
  [pg.types.builtins.NUMERIC]: (text) => (INTEGRAL.test(text) ? BigInt(text) : text),
  // int8[]: the driver's own parser makes texts of its elements.
  1016: (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(BigInt)),
};

/** int8 and whole numerics (counts, ids, base units) come as bigint; a numeric with decimals as its exact text. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && PARSERS[oid]) || pg.types.getTypeParser(oid, format),
};

/**
 * Opens a pool; nothing connects before the first statement. Nothing waits for ever: a statement or a lock that hangs is
 * ended by the server, and one that a frozen or vanished server never answers by the driver, with its connection.
 * @param url connection string with the role's own login
 */
export function openDatabase(url: string, { max, applicationName, patience = WORK }: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    application_name: applicationName,
    types: TYPES,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: patience.statementMs,
    lock_timeout: patience.lockMs,
    query_timeout: patience.answerMs,
    idle_in_transaction_session_timeout: 30_000,
  });
  // An idle connection that the server closes emits here; the pool replaces it at the next use.
  pool.on('error', () => undefined);
  return { pool };
}

/** Ends all connections once their statements are done. */
export async function closeDatabase(db: Database): Promise<void> {
  if (!db.pool.ended) await db.pool.end();
}
