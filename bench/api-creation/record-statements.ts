import type pg from 'pg';
import { authenticateApiKey } from '@/lib/api-keys/key-uses';
import { CreateInvoiceBody } from '@/lib/api-schema/invoices';
import type { Database } from '@/lib/db/database';
import { createInvoice } from '@/lib/invoices/create-invoice';
import { getRate } from '@/lib/rates/get-rate';
import { systemClock } from '@/lib/shared/time';

/** A statement as it reached the driver. */
export interface Statement {
  name?: string;
  text: string;
  values: unknown[];
}

/**
 * The statements that one creation with an API key issues, written down while the product's own code issues them. The
 * rate is read beforehand, because the product keeps it for a second.
 */
export async function recordStatements(db: Database, apiKey: string, body: object): Promise<Statement[]> {
  const statements: Statement[] = [];
  const query = db.pool.query.bind(db.pool) as (...args: unknown[]) => unknown;
  const recording = (first: string | pg.QueryConfig, values?: unknown[]) => {
    const statement = typeof first === 'string' ? { text: first, values: values ?? [] } : first;
    const { name, text } = statement;
    statements.push({ ...(name && { name }), text, values: statement.values ?? [] });
    return query(first, values);
  };
  const watched: Database = { ...db, pool: Object.assign(Object.create(db.pool), { query: recording }) };
  await getRate(watched, 'ETH', systemClock);
  statements.length = 0;
  const principal = await authenticateApiKey(watched, apiKey, systemClock());
  if (!principal) throw new Error('The API key is not active.');
  await createInvoice(watched, principal, CreateInvoiceBody.parse(body), systemClock);
  return statements;
}
