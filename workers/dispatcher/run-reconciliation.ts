import { setTimeout as sleep } from 'node:timers/promises';
import { configuredChain, enabledCoins } from '@/lib/config/chains';
import { env } from '@/lib/config/env';
import type { Database } from '@/lib/db/database';
import { announceSurpluses } from '@/lib/invoices/announce-surpluses';
import type { Findings } from '@/lib/ledger/findings';
import type { Logger } from '@/lib/logging/logger';
import { auditDerivations } from '@/lib/reconciliation/audit-derivations';
import { reconcile } from '@/lib/reconciliation/reconcile';
import type { ReconcileReport } from '@/lib/reconciliation/report';
import { claimRun, releaseRun } from '@/lib/reconciliation/run-repository';
import { COIN_INFO, type Coin } from '@/lib/shared/coins';
import { runLoop } from '@/workers/runtime/run-loop';
import type { WorkerContext } from '@/workers/runtime/worker-context';

/** Ten requests per run where Multicall3 is: any node bears that every few minutes. */
const ADDRESS_BUDGET = 5_000;
/** A second of work or two. */
const DERIVATION_BUDGET = 2_000;
const CLOSED_DAYS = 7;
/** What a stop left to do is done first. */
const LONGEST_FIRST_WAIT_MS = 30_000;
/** So many differences are logged one by one; the metrics tell how many there are. */
const MOST_LOGGED = 20;

/** Compares chain, ledger and invoices of every coin again and again; of several dispatchers one does it. */
export async function runReconciliation(db: Database, context: WorkerContext): Promise<void> {
  const coins = enabledCoins();
  await Promise.all(coins.map((coin, index) => reconcileCoin(db, coin, index === 0, context)));
}

async function reconcileCoin(
  db: Database,
  coin: Coin,
  withUnpriced: boolean,
  { signal, logger, clock }: WorkerContext,
): Promise<void> {
  const intervalMs = env().RECONCILE_INTERVAL_MS;
  const reader = await configuredChain(COIN_INFO[coin].chain).openReader({ signal });
  const once = withUnpriced && { furtherAudit: derivationRounds(db, signal) };
  const options = {
    clock,
    signal,
    addresses: { budget: ADDRESS_BUDGET },
    closedDays: CLOSED_DAYS,
    withUnpriced,
    ...once,
  };
  const task = async () => {
    if (!(await claimRun(db.pool, coin, intervalMs))) return;
    try {
      const report = await reconcile(db, coin, reader, options);
      logReport(report, logger);
      await announceSurpluses(db, coin, clock);
      if (report.notCompared !== null) throw new Error(report.notCompared);
    } catch (error) {
      await releaseRun(db.pool, coin);
      throw error;
    }
  };
  await sleep(Math.min(intervalMs, LONGEST_FIRST_WAIT_MS), undefined, { signal }).catch(() => undefined);
  await runLoop({ name: `reconcile-${coin}`, intervalMs, signal, logger, task });
}

/** A round looks at the next addresses of the pool, from the first on, and then at those that were added. */
function derivationRounds(db: Database, signal: AbortSignal): () => Promise<Findings> {
  let afterId = 0n;
  return async () => {
    const { findings, upToId } = await auditDerivations(db, { afterId, limit: DERIVATION_BUDGET, signal });
    // What does not agree is found again at each round, until somebody mends it.
    if (findings.count === 0) afterId = upToId;
    return findings;
  };
}

function logReport(report: ReconcileReport, logger: Logger): void {
  const { coin, height, addressCount, invoiceCount, completeness, timelinessSeconds, differenceCount } = report;
  const differenceUnits = report.differenceUnits.toString();
  const summary = { coin, height: height?.toString(), addressCount, invoiceCount, completeness, timelinessSeconds };
  if (differenceCount === 0) {
    logger.info(summary, 'reconciled: everything agrees');
    return;
  }
  logger.error({ ...summary, differenceCount, differenceUnits }, 'reconciled: something does not agree');
  for (const { kind, subject, expected, actual } of report.differences.slice(0, MOST_LOGGED))
    logger.error({ coin, kind, subject, expected, actual }, 'unexplained difference');
}
