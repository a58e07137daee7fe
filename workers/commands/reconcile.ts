import { parseArgs } from 'node:util';
import { configuredChain, enabledCoins, requireChains } from '@/lib/config/chains';
import { databaseUrl } from '@/lib/config/env';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { DatabaseClock } from '@/lib/db/database-clock';
import type { Findings } from '@/lib/ledger/findings';
import { auditDerivations } from '@/lib/reconciliation/audit-derivations';
import { type ReconcileOptions, reconcile } from '@/lib/reconciliation/reconcile';
import type { ReconcileReport } from '@/lib/reconciliation/report';
import { COIN_INFO } from '@/lib/shared/coins';
import { describeReport } from './describe-report';
import { runCommand } from './run-command';

const USAGE = `Usage: npm run reconcile -- [--json] [--addresses <n>] [--days <n>]
  --json           the reports as JSON
  --addresses <n>  at most so many addresses, going on where the last such run ended; else all
  --days <n>       closed invoices that expired in the last so many days; else all`;

/** Exit status: 0 everything agrees, 1 something does not, 2 it could not be compared. */
const DIFFERS = 1;
const NOT_COMPARED = 2;

interface Arguments {
  isJson: boolean;
  addresses: ReconcileOptions['addresses'];
  closedDays: number | null;
}

function readArguments(): Arguments {
  const { values } = parseArgs({
    options: { json: { type: 'boolean' }, addresses: { type: 'string' }, days: { type: 'string' } },
  });
  const count = (text: string | undefined) => {
    if (text !== undefined && !/^[1-9]\d{0,8}$/.test(text)) throw new Error(USAGE);
    return text === undefined ? null : Number(text);
  };
  const budget = count(values.addresses);
  const addresses = budget === null ? 'all' : { budget };
  return { isJson: values.json ?? false, addresses, closedDays: count(values.days) };
}

/** One report per enabled coin. @throws Error when no coin is enabled, or the database cannot be used */
async function reconcileAll({ addresses, closedDays }: Arguments): Promise<ReconcileReport[]> {
  requireChains();
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, () => stop.abort(new Error('Stopped.')));
  const db = openDatabase(databaseUrl('dispatcher'), { max: 3, applicationName: 'incassa-reconcile' });
  const clock = new DatabaseClock(db);
  const options = { clock: clock.now, signal: stop.signal, addresses, closedDays };
  try {
    await clock.measure();
    const reports: ReconcileReport[] = [];
    for (const [index, coin] of enabledCoins().entries()) {
      const reader = await configuredChain(COIN_INFO[coin].chain).openReader({ signal: stop.signal });
      // The addresses of all chains are in one pool: they are looked at once, with the first coin.
      const once = index === 0 && { furtherAudit: () => derivations(db, stop.signal) };
      reports.push(await reconcile(db, coin, reader, { ...options, withUnpriced: index === 0, ...once }));
    }
    return reports;
  } finally {
    await closeDatabase(db);
  }
}

async function derivations(db: Database, signal: AbortSignal): Promise<Findings> {
  return (await auditDerivations(db, { afterId: 0n, limit: null, signal })).findings;
}

function statusOf(reports: ReconcileReport[]): number {
  if (reports.some((report) => report.differenceCount > 0)) return DIFFERS;
  return reports.some((report) => report.notCompared !== null) ? NOT_COMPARED : 0;
}

/** `npm run reconcile`: compares chain, ledger and invoices of every enabled coin. */
runCommand(async () => {
  try {
    const given = readArguments();
    const reports = await reconcileAll(given);
    const toText = (_: string, value: unknown) => (typeof value === 'bigint' ? value.toString() : value);
    console.log(given.isJson ? JSON.stringify(reports, toText, 2) : reports.map(describeReport).join('\n'));
    return statusOf(reports);
  } catch (error) {
    console.error(error instanceof Error ? error.message || String(error) : String(error));
    return NOT_COMPARED;
  }
});
