import { env } from '@/lib/config/env';
import type { Database } from '@/lib/db/database';
import { expireInvoices } from '@/lib/invoices/expire-invoices';
import { refreshRates } from '@/lib/rates/refresh-rates';
import { binanceVenue } from '@/lib/rates/venues/binance';
import { krakenVenue } from '@/lib/rates/venues/kraken';
import { runLoop } from '@/workers/runtime/run-loop';
import type { WorkerContext } from '@/workers/runtime/worker-context';

const INTERVAL_MS = 1_000;

/** Closes invoices whose time is over. */
export async function runExpiries(db: Database, { signal, logger, clock }: WorkerContext): Promise<void> {
  const task = () => expireInvoices(db, clock);
  await runLoop({ name: 'expiries', intervalMs: INTERVAL_MS, signal, logger, task });
}

/** Keeps the rates fresh, from the venues at the addresses that this instance is configured with. */
export async function runRates(db: Database, { signal, logger, clock }: WorkerContext): Promise<void> {
  const venues = [krakenVenue(env().KRAKEN_URL), binanceVenue(env().BINANCE_URL)];
  const task = () => refreshRates(db, { venues, clock, logger, signal });
  await runLoop({ name: 'rates', intervalMs: env().RATE_REFRESH_MS, signal, logger, task });
}
