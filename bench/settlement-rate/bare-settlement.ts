import type pg from 'pg';
import { settleQueued } from '@/lib/invoices/settle-invoice';
import { systemClock } from '@/lib/shared/time';

interface Statement {
  name?: string;
  text: string;
  values: unknown[];
}

/** An invoice's identifiers, which differ from settlement to settlement. */
interface Ids {
  id: number;
  uuid: string;
  walletId: number;
  /** Newest settlement task of its wallet. */
  taskId: bigint;
}

/**
 * Writes down the statements that settling one invoice issues, with placeholders for what differs between invoices, so
 * that a bare loop can issue the same for others.
 */
export async function recordSettlement(pool: pg.Pool, ids: Ids): Promise<Statement[]> {
  const statements: Statement[] = [];
  const connect = async () => {
    const client = await pool.connect();
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const recording = (first: string | Statement, values: unknown[] = []) => {
      statements.push(typeof first === 'string' ? { text: first, values } : first);
      return typeof first === 'string' ? query(first, values) : query(first);
    };
    return Object.assign(Object.create(client), { query: recording, release: () => client.release() });
  };
  await settleQueued({ pool: Object.assign(Object.create(pool), { connect }) }, ids.id, systemClock);
  return statements;
}

/** Issues the recorded statements for another invoice. */
export async function replaySettlement(
  client: pg.PoolClient,
  statements: readonly Statement[],
  recorded: Ids,
  ids: Ids,
): Promise<void> {
  for (const { name, text, values } of statements)
    await client.query({ ...(name && { name }), text, values: values.map(forInvoice) });

  function forInvoice(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(forInvoice);
    if (value === recorded.id) return ids.id;
    if (value === recorded.walletId) return ids.walletId;
    if (value === recorded.taskId) return ids.taskId;
    return typeof value === 'string' ? value.replace(recorded.uuid, ids.uuid) : value;
  }
}
