import pg from 'pg';
import type { Instance } from '@/starter/instance';

/**
 * Asks the instance's database as its owner: for what must not exist, and no answer of the product could show.
 *
 * @returns the rows
 */
export async function ownerQuery(instance: Instance, text: string, values: unknown[] = []): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: instance.databaseUrl ?? '' });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
