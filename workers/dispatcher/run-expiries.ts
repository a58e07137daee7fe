import type { Database } from '@/lib/db/database';
import { expireInvoices } from '@/lib/invoices/expire-invoices';
import { runLoop } from '@/workers/runtime/run-loop';
import type { WorkerContext } from '@/workers/runtime/worker-context';

const INTERVAL_MS = 1_000;

/** Closes invoices whose time is over. */
export async function runExpiries(db: Database, { signal, logger, clock }: WorkerContext): Promise<void> {
  const task = () => expireInvoices(db, clock);
  await runLoop({ name: 'expiries', intervalMs: INTERVAL_MS, signal, logger, task });
}
