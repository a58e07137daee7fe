import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { drainSettlements } from '@/lib/invoices/drain-settlements';
import { expireInvoices } from '@/lib/invoices/expire-invoices';
import { settleAndNotify } from '@/lib/invoices/settle-invoice';
import { SET_SIZE } from '@/lib/invoices/settle-isolated';
import { systemClock } from '@/lib/shared/time';
import { makeApiKey, makeCursor, makeUser } from '@/testing/factories';
import { startBenchDatabase } from '../bench-database';
import type { Scenario, ScenarioResult } from '../scenario';
import { writeBareSet } from './bare-settlement';
import { preparePaidInvoices } from './prepare-paid-invoices';

const INVOICES = 10_000;
const ROUNDS = 4;
const CALLERS = 50;
const TARGET_RATE = 1_000;
const TARGET_RATIO = 0.2;

interface Databases {
  owner: Database;
  watcher: Database;
  web: Database;
  dispatcher: Database;
}

/**
 * Settlements per second of one watcher over 10,000 invoices, each with its event, delivery and receipt, against a bare write of
 * the same rows for as many, in turns, so that a slow moment of the machine meets both; then the same with 50 callers of
 * check-payment and expiry beside it, of which none may fail.
 */
export const settlementRate: Scenario = {
  name: 'settlement-rate',
  async run(tell) {
    const database = await startBenchDatabase();
    const owner = openDatabase(database.ownerUrl, { max: 2, applicationName: 'bench' });
    const watcher = openDatabase(database.roleUrl('watcher'), { max: 2, applicationName: 'bench-watcher' });
    const web = openDatabase(database.roleUrl('web'), { max: 16, applicationName: 'bench-web' });
    const dispatcher = openDatabase(database.roleUrl('dispatcher'), { max: 2, applicationName: 'bench-dispatcher' });
    try {
      const { id: userId } = await makeUser(owner.pool);
      const { id: apiKeyId } = await makeApiKey(owner.pool, { userId });
      await makeCursor(owner.pool);
      const refill = (count: number) => preparePaidInvoices(owner.pool, { userId, apiKeyId }, count);
      let bareSeconds = 0;
      let drainSeconds = 0;
      for (let round = 1; round <= ROUNDS; round++) {
        await refill(INVOICES / ROUNDS);
        const bare = await secondsOfBareWrite(owner);
        await refill(INVOICES / ROUNDS);
        const drain = await secondsOfDrain(owner, watcher);
        tell(`round ${round}: bare write ${bare.toFixed(2)} s, product ${drain.toFixed(2)} s`);
        bareSeconds += bare;
        drainSeconds += drain;
      }
      await refill(INVOICES);
      const rate = rateResult(INVOICES / drainSeconds, INVOICES / bareSeconds);
      return [rate, await besideCallers({ owner, watcher, web, dispatcher })];
    } finally {
      await Promise.all([owner, watcher, web, dispatcher].map(closeDatabase));
      await database.stop();
    }
  },
};

async function queued(owner: Database): Promise<number[]> {
  const { rows } = await owner.pool.query<{ id: number }>(
    'SELECT i.id FROM settlement_task t JOIN invoice i ON i.wallet_id = t.wallet_id ORDER BY t.id',
  );
  return rows.map(({ id }) => id);
}

async function secondsOfBareWrite(owner: Database): Promise<number> {
  const ids = await queued(owner);
  const client = await owner.pool.connect();
  const begun = performance.now();
  for (let from = 0; from < ids.length; from += SET_SIZE) await writeBareSet(client, ids.slice(from, from + SET_SIZE));
  const seconds = (performance.now() - begun) / 1000;
  client.release();
  await expectAllSettled(owner);
  return seconds;
}

async function secondsOfDrain(owner: Database, watcher: Database): Promise<number> {
  const begun = performance.now();
  await drainSettlements(watcher, 'ethereum', systemClock);
  const seconds = (performance.now() - begun) / 1000;
  await expectAllSettled(owner);
  return seconds;
}

function rateResult(figure: number, bound: number): ScenarioResult {
  const ratio = figure / bound;
  return {
    name: 'settlement-rate',
    figure: Math.round(figure),
    unit: 'settlements/s',
    bound: Math.round(bound),
    ratio: Number(ratio.toFixed(2)),
    target: `>= ${TARGET_RATE}/s, and >= ${TARGET_RATIO} of a bare write of the same rows in sets`,
    met: figure >= TARGET_RATE && ratio >= TARGET_RATIO,
    memoryMb: Math.round(process.memoryUsage().rss / 2 ** 20),
  };
}

async function besideCallers({ owner, watcher, web, dispatcher }: Databases): Promise<ScenarioResult> {
  const invoices = await queued(owner);
  let isDraining = true;
  let calls = 0;
  let failures = 0;
  const caller = async (offset: number) => {
    for (let n = offset; isDraining; n += CALLERS) {
      const invoice = invoices[n % invoices.length];
      if (!invoice) return;
      calls += 1;
      const call =
        n % CALLERS === 0 ? expireInvoices(dispatcher, systemClock) : settleAndNotify(web, invoice, systemClock);
      await call.catch(() => {
        failures += 1;
      });
    }
  };
  const callers = Array.from({ length: CALLERS }, (_, index) => caller(index));
  await drainSettlements(watcher, 'ethereum', systemClock);
  isDraining = false;
  await Promise.all(callers);
  await expectAllSettled(owner);
  const target = `0 failures of ${CALLERS} callers beside a watcher`;
  const notes = [`${calls} calls`];
  return {
    name: 'check-beside-watcher',
    figure: failures,
    unit: 'failures',
    bound: null,
    ratio: failures,
    target,
    met: failures === 0,
    memoryMb: null,
    notes,
  };
}

async function expectAllSettled(owner: Database): Promise<void> {
  const { rows } = await owner.pool.query<{ unpaid: number; queued: number; untold: number }>(
    `SELECT (SELECT count(*)::int FROM invoice WHERE status <> 'paid') AS unpaid,
       (SELECT count(*)::int FROM settlement_task) AS queued,
       (SELECT count(*)::int FROM (SELECT invoice_id FROM invoice_event e JOIN webhook_delivery d ON d.event_id = e.id
          JOIN outgoing_mail m ON m.event_id = e.id GROUP BY invoice_id HAVING count(*) = 1) told)
          - (SELECT count(*)::int FROM invoice) AS untold`,
  );
  if (rows[0]?.unpaid !== 0 || rows[0].queued !== 0 || rows[0].untold !== 0)
    throw new Error(`Not settled: ${JSON.stringify(rows[0])}.`);
}
