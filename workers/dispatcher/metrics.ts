import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { liveSince } from '@/lib/chain-sync/progress';
import { type ChainProgress, selectProgress } from '@/lib/chain-sync/progress-repository';
import type { Database } from '@/lib/db/database';
import { countFailing } from '@/lib/invoices/due-repository';
import { type RateState, selectRateStates } from '@/lib/rates/repository';
import { type RunSummary, selectRunSummaries } from '@/lib/reconciliation/run-repository';
import type { Clock } from '@/lib/shared/time';

/** A gauge and what it shows of a row: null leaves the row out. Metrics are floats: never count with them. */
interface Reading<T> {
  help: string;
  read: (row: T, now: Date) => number | null;
}

const secondsSince = (date: Date, now: Date) => (now.getTime() - date.getTime()) / 1000;

/** Of a chain's cursor. */
const CHAIN_READINGS: Record<string, Reading<ChainProgress>> = {
  incassa_chain_followed: {
    help: 'Whether what is paid on the chain is read, so that it can be sold; 1 is the only good value.',
    read: ({ followedUntil, pausedReason }, now) => Number(pausedReason === null && followedUntil > liveSince(now)),
  },
  incassa_chain_oldest_unread_seconds: {
    help: 'How long the oldest block that was not read waits.',
    read: ({ unreadSince }, now) => (unreadSince === null ? 0 : secondsSince(unreadSince, now)),
  },
  incassa_chain_look_age_seconds: {
    help: 'Time since the last look at the node that brought an answer.',
    read: ({ lookedAt }, now) => (lookedAt === null ? null : secondsSince(lookedAt, now)),
  },
};

/** Of a coin's price. */
const RATE_READINGS: Record<string, Reading<RateState>> = {
  incassa_rate_age_seconds: {
    help: 'Age of the last agreed price; one older than 300 sells nothing.',
    read: ({ ageSeconds }) => ageSeconds,
  },
  incassa_rate_in_doubt: {
    help: '1 while every venue contradicts the last agreed price: it sells nothing.',
    read: ({ isInDoubt }) => Number(isInDoubt),
  },
};

/** Of a coin's last comparison. */
const COIN_READINGS: Record<string, Reading<RunSummary>> = {
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
    read: ({ finishedAt }, now) => (finishedAt === null ? null : secondsSince(finishedAt, now)),
  },
  incassa_settlement_backlog: {
    help: 'Settlements that are due now.',
    read: ({ settlementBacklog }) => settlementBacklog,
  },
};

/**
 * The dispatcher's metrics: those of the process, how far each chain is followed, each coin's price, what the last
 * comparison of each coin found, and how many invoices cannot be settled. They are read from the database, so that every
 * dispatcher tells the same, whichever made the comparison.
 * @returns what writes them in the Prometheus text format
 */
export function createMetrics(
  db: Pick<Database, 'pool'>,
  clock: Clock,
): { contentType: string; text(): Promise<string> } {
  const registers = [new Registry()];
  const [registry] = registers;
  collectDefaultMetrics({ ...(registry && { register: registry }) });
  const gaugesOf = <T>(readings: Record<string, Reading<T>>, label: string) =>
    Object.entries(readings).map(([name, { help, read }]) => ({
      gauge: new Gauge({ name, help, labelNames: [label], registers }),
      read,
    }));
  const ofChains = gaugesOf(CHAIN_READINGS, 'chain');
  const ofRates = gaugesOf(RATE_READINGS, 'coin');
  const ofCoins = gaugesOf(COIN_READINGS, 'coin');
  const failing = new Gauge({
    name: 'incassa_failing_settlements',
    help: 'Invoices whose settlement or expiry fails and is tried again; 0 is the only good value.',
    registers,
  });
  const text = async () => {
    const [failures, chains, rates, coins] = await Promise.all([
      countFailing(db.pool),
      selectProgress(db.pool),
      selectRateStates.all(db.pool, {}),
      selectRunSummaries(db.pool),
    ]);
    failing.set(failures);
    const now = clock();
    set(ofChains, chains, ({ chain }) => ({ chain }), now);
    set(ofRates, rates, ({ coin }) => ({ coin }), now);
    set(ofCoins, coins, ({ coin }) => ({ coin }), now);
    return registry?.metrics() ?? '';
  };
  return { contentType: Registry.PROMETHEUS_CONTENT_TYPE, text };
}

function set<T>(
  gauges: { gauge: Gauge; read: Reading<T>['read'] }[],
  rows: readonly T[],
  labelsOf: (row: T) => Record<string, string>,
  now: Date,
): void {
  for (const { gauge, read } of gauges) {
    gauge.reset();
    for (const row of rows) {
      const value = read(row, now);
      if (value !== null) gauge.set(labelsOf(row), value);
    }
  }
}
