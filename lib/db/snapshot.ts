import type pg from 'pg';
import type { Database, Sql } from './database';
import { transaction } from './transaction';

const STATEMENT_TIMEOUT_MS = 300_000;
/** The driver waits for as long, and a little more for the server's own word. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;

/**
 * Runs `work` in one read-only transaction in which every statement sees the same moment. Statements may take minutes.
 * @param signal its abort cancels the statement that runs
 */
export async function snapshot<T>(
  db: Pick<Database, 'pool'>,
  signal: AbortSignal,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  return transaction(db, async (sql) => {
    await sql.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    await sql.query(`SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    const { rows } = await sql.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const cancel = () => void db.pool.query('SELECT pg_cancel_backend($1)', [rows[0]?.pid]).catch(() => undefined);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await work(patient(sql));
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  });
}

/** The same connection with the driver's longer patience, which it takes per statement. */
function patient(sql: Sql): Sql {
  const query = (config: string | pg.QueryConfig, values?: unknown[]) => {
    const request = typeof config === 'string' ? { text: config, ...(values && { values }) } : config;
    return sql.query({ ...request, query_timeout: ANSWER_TIMEOUT_MS } as pg.QueryConfig);
  };
  return { query } as Sql;
}
