import type pg from 'pg';
import type { Database } from '@/lib/db/database';

interface Call {
  text: string;
  values: unknown[];
}

/** Does a call keep an invoice from everybody else until its transaction ends? Nothing of it stays. */
export function holdsInvoice({ pool }: Database, invoiceId: number, call: Call): Promise<boolean> {
  return rolledBack(pool, 'BEGIN', async (client) => {
    await client.query(call);
    const { rowCount } = await pool.query('SELECT FROM invoice WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED', [
      invoiceId,
    ]);
    return rowCount === 0;
  });
}

/** Makes a call in a transaction that looks from an older snapshot. Nothing of it stays. @throws what the database refuses it with */
export async function callFromOldSnapshot({ pool }: Database, call: Call): Promise<void> {
  await rolledBack(pool, 'BEGIN ISOLATION LEVEL REPEATABLE READ', (client) => client.query(call));
}

async function rolledBack<T>(pool: pg.Pool, begin: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(begin);
    return await work(client);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}
