import type { Database, Sql } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';

class Done extends Error {}

/**
 * Changes what the product never changes: no trigger runs. What is seen then is given back, and nothing of it stays.
 * @param superuser of the test's database
 */
export async function seenAfter<T>(
  superuser: Database,
  statements: readonly string[],
  look: (sql: Sql) => Promise<T>,
): Promise<T> {
  const seen: T[] = [];
  await transaction(superuser, async (sql) => {
    await sql.query("SET LOCAL session_replication_role = 'replica'");
    for (const statement of statements) await sql.query(statement);
    seen.push(await look(sql));
    throw new Done();
  }).catch((error: unknown) => {
    if (!(error instanceof Done)) throw error;
  });
  return seen[0] as T;
}
