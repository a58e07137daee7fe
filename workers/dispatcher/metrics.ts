import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Database } from '@/lib/db/database';
import { countFailing } from '@/lib/invoices/due-repository';
import { type RunSummary, selectRunSummaries } from '@/lib/reconciliation/run-repository';
import type { Clock } from '@/lib/shared/time';

/** Reads a gauge's value from a coin's last comparison; null leaves the coin out. Metrics are floats: never count with them. */
type Reading = (summary: RunSummary, now: Date) => number | null;

const READINGS: Record<string, { help: string; read: Reading }> = {
  incassa_ledger_difference_units: {
    help: 'Money that chain, ledger and invoices do not agree on, in base units; 0 is the only good value.',
    read: ({ differenceUnits }) => Number(differenceUnits),
  },
  incassa_reconcile_differences: {
    help: 'Differences that the last comparison found, with those that are not about money.',
    read: ({ differenceCount }) => differenceCount,
  },
  incassa_reconcile_completeness_ratio: {
    help: 'Share of the money on the compared addresses that the records explain.',
    read: ({ completeness }) => completeness,
  },
  incassa_reconcile_timeliness_seconds: {
    help: 'Age of the oldest deposit that was not booked, or settlement that was not done, at the last comparison.',
    read: ({ timelinessSeconds }) => timelinessSeconds,
  },
  incassa_reconcile_age_seconds: {
    help: 'Time since the last comparison that could be made.',
    read: ({ finishedAt }, now) => (finishedAt === null ? null : (now.getTime() - finishedAt.getTime()) / 1000),
  },
  incassa_settlement_backlog: {
    help: 'Settlements that are due now.',
    read: ({ settlementBacklog }) => settlementBacklog,
  },
};

/**
 * The dispatcher's metrics: those of the process, what the last comparison of each coin found, and how many invoices cannot be
 * settled. They are read from the database, so that every dispatcher tells the same, whichever made the comparison.
 * @returns what writes them in the Prometheus text format
 */
export function createMetrics(
  db: Pick<Database, 'pool'>,
  clock: Clock,
): { contentType: string; text(): Promise<string> } {
  const registers = [new Registry()];
  const [registry] = registers;
  collectDefaultMetrics({ ...(registry && { register: registry }) });
  const gauges = Object.entries(READINGS).map(([name, { help, read }]) => ({
    gauge: new Gauge({ name, help, labelNames: ['coin'], registers }),
    read,
  }));
  const failing = new Gauge({
    name: 'incassa_failing_settlements',
    help: 'Invoices whose settlement or expiry fails and is tried again; 0 is the only good value.',
    registers,
  });
  const text = async () => {
    const summaries = await selectRunSummaries(db.pool);
    failing.set(await countFailing(db.pool));
    const now = clock();
    for (const { gauge, read } of gauges) {
      gauge.reset();
      for (const summary of summaries) {
        const value = read(summary, now);
        if (value !== null) gauge.set({ coin: summary.coin }, value);
      }
    }
    return registry?.metrics() ?? '';
  };
  return { contentType: Registry.PROMETHEUS_CONTENT_TYPE, text };
}
