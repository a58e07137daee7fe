import type { Database, Sql } from './database';
import { isConnectionLost } from './database-down';

/**
 * Runs `work` in one READ COMMITTED transaction: committed when it returns, rolled back when it throws.
 * @returns what `work` returns
 */
export async function transaction<T>(db: Pick<Database, 'pool'>, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = await db.pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // The server rolls back by itself when the connection goes; to wait for its word would double the time.
    if (isConnectionLost(error)) broken = error as Error;
    else
      await client.query('ROLLBACK').catch((rollbackError: Error) => {
        broken = rollbackError;
      });
    throw error;
  } finally {
    client.release(broken);
  }
}
