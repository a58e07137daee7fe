import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { createApiKey } from '@/lib/api-keys/create-api-key';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { webhookUrlPolicy } from '@/lib/security/webhook-url-policy';
import { systemClock } from '@/lib/shared/time';
import { buildWeb } from '@/starter/build/prepare-code';
import { makeCursor, makePool, makeRate, makeUser } from '@/testing/factories';
import { startBenchDatabase } from '../bench-database';
import { residentMb } from '../resident-mb';
import type { Scenario, ScenarioResult } from '../scenario';
import { load } from './load';
import { recordStatements } from './record-statements';
import { startServer } from './start-server';

const ROUNDS = 3;
const SECONDS = 6;
const WARM_UP_SECONDS = 3;
/** More than all rounds together can claim. */
const ADDRESSES = 120_000;
const BODY = { description: 'Ordine', amountEuro: 148.5, cryptoType: 'ETH', externalCode: 'A-1' };
const NEXT = resolve('node_modules/next/dist/bin/next');
const EMPTY_APP = resolve('bench/empty-app');

/**
 * Invoice creation through the API, against an empty Next route and a bare Node server that issue the same statements on
 * the same Postgres with the same login.
 */
export const apiCreation: Scenario = {
  name: 'api-creation',
  async run(tell) {
    await buildWeb({ root: process.cwd(), tell });
    const built = spawnSync(process.execPath, [NEXT, 'build'], {
      cwd: EMPTY_APP,
      encoding: 'utf8',
      env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
    });
    if (built.status !== 0) throw new Error(`The empty application does not build:\n${built.stdout}${built.stderr}`);
    const database = await startBenchDatabase();
    const owner = openDatabase(database.ownerUrl, { max: 4, applicationName: 'bench' });
    try {
      return [await measure(owner, database.roleUrl('web'), tell)];
    } finally {
      await closeDatabase(owner);
      await database.stop();
    }
  },
};

async function measure(owner: Database, webUrl: string, tell: (line: string) => void): Promise<ScenarioResult> {
  const sealKey = randomBytes(32);
  const environment = {
    INCASSA_MODE: 'production',
    WEB_DATABASE_URL: webUrl,
    AUTH_SECRET: randomBytes(32).toString('hex'),
    APP_SEAL_KEY: sealKey.toString('base64'),
    ETH_RPC_URL: 'http://127.0.0.1:1',
    PUBLIC_URL: 'http://127.0.0.1',
    LOG_LEVEL: 'info',
    NEXT_MANUAL_SIG_HANDLE: '1',
    // One merchant makes them all: the quotas count, and do not refuse.
    MAX_INVOICES_PER_MINUTE: '1000000',
    MAX_OPEN_INVOICES: '1000000',
  };
  Object.assign(process.env, environment);
  const apiKey = await prepareData(owner, sealKey);
  const web = openDatabase(webUrl, { max: 2, applicationName: 'bench-record' });
  const statements = await recordStatements(web, apiKey, BODY);
  await closeDatabase(web);
  const bound = { BENCH_DATABASE_URL: webUrl, BENCH_STATEMENTS: asJson(statements) };
  const product = await startServer([NEXT, 'start', '-H', '127.0.0.1'], process.cwd(), environment);
  const empty = await startServer([NEXT, 'start', '-H', '127.0.0.1'], EMPTY_APP, bound);
  const bare = await startServer([resolve('bench/api-creation/bare-server.mjs')], process.cwd(), bound);
  const keepAlive = setInterval(() => void keepLive(owner), 5_000);
  try {
    const rates = await alternate(
      [
        { url: `${product.url}/api/invoices`, headers: { 'x-api-key': apiKey } },
        { url: `${empty.url}/create`, headers: {} },
        { url: `${bare.url}/`, headers: {} },
      ],
      // As autovacuum does within a minute: plans are made for a shop that sells, not for empty tables.
      () => owner.pool.query('ANALYZE'),
      tell,
    );
    return toResult(rates, residentMb(product.pid), statements.length);
  } finally {
    clearInterval(keepAlive);
    await Promise.all([product.stop(), empty.stop(), bare.stop()]);
  }
}

/** Statements for another process: Postgres reads a bigint and its text alike. */
function asJson(statements: unknown): string {
  return JSON.stringify(statements, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

async function prepareData(owner: Database, sealKey: Uint8Array): Promise<string> {
  const { id } = await makeUser(owner.pool);
  for (let made = 0; made < ADDRESSES; made += 20_000) await makePool(owner.pool, { count: 20_000 });
  await keepLive(owner);
  await owner.pool.query('ANALYZE');
  const body = { name: 'Negozio', description: null, webhookUrl: null };
  const webhookPolicy = webhookUrlPolicy();
  return (await createApiKey(owner, { userId: id, body, sealKey, webhookPolicy, mostActive: 1, clock: systemClock }))
    .key;
}

/** What watcher and dispatcher would keep fresh. */
async function keepLive(owner: Database): Promise<void> {
  await makeCursor(owner.pool);
  await makeRate(owner.pool);
}

interface Target {
  url: string;
  headers: Record<string, string>;
}

/** Rounds in turn, so that a slow moment of the machine meets all alike. @returns the median rate of each target */
async function alternate(
  targets: readonly Target[],
  afterWarmUp: () => Promise<unknown>,
  tell: (line: string) => void,
): Promise<number[]> {
  const body = JSON.stringify(BODY);
  for (const { url, headers } of targets) await load(url, headers, body, WARM_UP_SECONDS);
  await afterWarmUp();
  const rates = targets.map((): number[] => []);
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [index, { url, headers }] of targets.entries())
      rates[index]?.push(await load(url, headers, body, SECONDS));
    tell(`round ${round}: ${rates.map((taken) => `${Math.round(taken.at(-1) ?? 0)}/s`).join(', ')}`);
  }
  return rates.map((taken) => [...taken].sort((a, b) => a - b)[Math.floor(taken.length / 2)] ?? 0);
}

function toResult(
  [product = 0, empty = 0, bare = 0]: number[],
  memoryMb: number | null,
  statements: number,
): ScenarioResult {
  const ratio = product / empty;
  return {
    name: 'api-creation',
    figure: Math.round(product),
    unit: 'invoices/s',
    bound: Math.round(empty),
    ratio: Number(ratio.toFixed(2)),
    target: '>= 0.60 of an empty Next route with the same statements',
    met: ratio >= 0.6,
    memoryMb,
    notes: [
      `a bare Node server with the same ${statements} statements: ${Math.round(bare)}/s (${(product / bare).toFixed(2)})`,
    ],
  };
}
