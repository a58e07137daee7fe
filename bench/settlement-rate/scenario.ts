import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { drainSettlements } from '@/lib/invoices/drain-settlements';
import { settleInvoice } from '@/lib/invoices/settle-invoice';
import { systemClock } from '@/lib/shared/time';
import { makeCursor, makeUser } from '@/testing/factories';
import { startBenchDatabase } from '../bench-database';
import type { Scenario, ScenarioResult } from '../scenario';
import { recordSettlement, replaySettlement } from './bare-settlement';
import { preparePaidInvoices } from './prepare-paid-invoices';

const INVOICES = 10_000;
const ROUNDS = 4;
const CALLERS = 50;
const TARGET = 0.5;

interface QueuedInvoice {
  id: number;
  uuid: string;
  walletId: number;
  taskId: bigint;
}

/**
 * Settlements per second of one watcher over 10,000 invoices, against the same statements issued by a bare loop on one
 * connection for as many, in turns, so that a slow moment of the machine meets both; then the same with 50 callers of
 * check-payment beside it, of which none may fail.
 */
export const settlementRate: Scenario = {
  name: 'settlement-rate',
  async run(tell) {
    const database = await startBenchDatabase();
    const owner = openDatabase(database.ownerUrl, { max: 2, applicationName: 'bench' });
    const watcher = openDatabase(database.roleUrl('watcher'), { max: 2, applicationName: 'bench-watcher' });
    const web = openDatabase(database.roleUrl('web'), { max: 16, applicationName: 'bench-web' });
    try {
      const { id } = await makeUser(owner.pool);
      await makeCursor(owner.pool);
      const refill = (count: number) => preparePaidInvoices(owner.pool, id, count);
      let bareSeconds = 0;
      let drainSeconds = 0;
      for (let round = 1; round <= ROUNDS; round++) {
        await refill(INVOICES / ROUNDS);
        const bare = await secondsOfBareLoop(owner, watcher);
        await refill(INVOICES / ROUNDS);
        const drain = await secondsOfDrain(owner, watcher);
        tell(`round ${round}: bare loop ${bare.toFixed(1)} s, product ${drain.toFixed(1)} s`);
        bareSeconds += bare;
        drainSeconds += drain;
      }
      await refill(INVOICES);
      const rate = rateResult(INVOICES / drainSeconds, INVOICES / bareSeconds);
      return [rate, await besideCallers(owner, watcher, web)];
    } finally {
      await Promise.all([closeDatabase(owner), closeDatabase(watcher), closeDatabase(web)]);
      await database.stop();
    }
  },
};

async function queued(owner: Database): Promise<QueuedInvoice[]> {
  const { rows } = await owner.pool.query<QueuedInvoice>(
    `SELECT i.id, i.uuid, i.wallet_id AS "walletId", t.id AS "taskId" FROM settlement_task t JOIN invoice i ON i.wallet_id = t.wallet_id
     ORDER BY t.id`,
  );
  return rows;
}

async function secondsOfBareLoop(owner: Database, watcher: Database): Promise<number> {
  const [first, ...others] = await queued(owner);
  if (!first) throw new Error('No invoice is queued.');
  const statements = await recordSettlement(watcher.pool, first);
  const client = await watcher.pool.connect();
  const begun = performance.now();
  for (const ids of others) await replaySettlement(client, statements, first, ids);
  const seconds = (performance.now() - begun) / 1000;
  client.release();
  await expectAllSettled(owner);
  return (seconds * (others.length + 1)) / others.length;
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
    target: `>= ${TARGET} of a bare loop with the same statements`,
    met: ratio >= TARGET,
    memoryMb: Math.round(process.memoryUsage().rss / 2 ** 20),
  };
}

async function besideCallers(owner: Database, watcher: Database, web: Database): Promise<ScenarioResult> {
  const invoices = await queued(owner);
  let isDraining = true;
  let calls = 0;
  let failures = 0;
  const caller = async (offset: number) => {
    for (let n = offset; isDraining; n += CALLERS) {
      const invoice = invoices[n % invoices.length];
      if (!invoice) return;
      calls += 1;
      await settleInvoice(web, invoice.id, systemClock).catch(() => {
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
  const { rows } = await owner.pool.query<{ unpaid: number; queued: number }>(
    `SELECT (SELECT count(*)::int FROM invoice WHERE status <> 'paid') AS unpaid,
       (SELECT count(*)::int FROM settlement_task) AS queued`,
  );
  if (rows[0]?.unpaid !== 0 || rows[0].queued !== 0) throw new Error(`Not settled: ${JSON.stringify(rows[0])}.`);
}
