import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import getPort from 'get-port';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { startWatchedChain, type WatchedChain } from '@/testing/watched-chain';

const DUE = 10n ** 16n;
const PATIENCE = { timeout: 30_000, interval: 100 };

let database: TestDatabase;
let chain: WatchedChain;
const running: ChildProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  chain = await startWatchedChain(database.db);
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await chain.stop();
  await database.drop();
});

/** The real process under its own login, with prices from nowhere. */
function startDispatcher(metricsPort: number) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'workers/main.ts', 'dispatcher'], {
    env: {
      NODE_ENV: 'test',
      INCASSA_MODE: 'embedded',
      DISPATCHER_DATABASE_URL: database.roleUrl('dispatcher'),
      APP_SEAL_KEY: randomBytes(32).toString('base64'),
      KRAKEN_URL: 'http://127.0.0.1:9',
      BINANCE_URL: 'http://127.0.0.1:9',
      ETH_RPC_URL: chain.anvil.url,
      ETH_CHAIN_ID: '31337',
      RECONCILE_INTERVAL_MS: '1000',
      METRICS_PORT: String(metricsPort),
    },
  });
  running.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk;
    });
  }
  return { child, output: () => output };
}

/** The value of a coin's gauge; null when it is not shown. */
async function gauge(port: number, name: string): Promise<number | null> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => null);
  const line = new RegExp(`^${name}\\{coin="ETH"\\} (\\S+)$`, 'm').exec((await response?.text()) ?? '');
  return line ? Number(line[1]) : null;
}

test('[A3] [C14] the dispatcher compares again and again: differences become log errors and gauges', async () => {
  const [paid, other] = [await chain.invoice(DUE), await chain.invoice(DUE)];
  await chain.pay(paid.address, DUE);
  await chain.finalize();
  const port = await getPort({ host: '127.0.0.1' });
  const { child, output } = startDispatcher(port);
  await vi.waitFor(async () => expect(await gauge(port, 'incassa_reconcile_age_seconds')).not.toBeNull(), PATIENCE);
  expect(await gauge(port, 'incassa_ledger_difference_units')).toBe(0);
  expect(await gauge(port, 'incassa_reconcile_completeness_ratio')).toBe(1);
  expect(await gauge(port, 'incassa_settlement_backlog')).toBe(0);
  expect(output()).toContain('reconciled: everything agrees');

  await chain.payThroughContract(other.address, 7n);
  await chain.finalize();
  await vi.waitFor(async () => expect(await gauge(port, 'incassa_ledger_difference_units')).toBe(7), PATIENCE);
  expect(await gauge(port, 'incassa_reconcile_differences')).toBe(1);
  await vi.waitFor(() => expect(output()).toContain('unexplained difference'), PATIENCE);
  const lines = output()
    .split('\n')
    .filter((line) => line.includes('unexplained difference'));
  expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({
    level: 50,
    coin: 'ETH',
    kind: 'address',
    subject: `address ${other.address} of invoice ${other.uuid}`,
    expected: '0',
    actual: '7',
  });
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);

  const exit = once(child, 'exit');
  const begin = performance.now();
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(performance.now() - begin).toBeLessThan(5_000);
  expect(output()).not.toContain('permission denied');
}, 90_000);

test('an address of the pool that its published key does not give is a difference in log and gauge', async () => {
  const planted = `0x${'e'.repeat(40)}`;
  await database.db.pool.query(
    'UPDATE pool_address SET address = $1 WHERE id = (SELECT max(id) FROM pool_address WHERE claimed_at IS NULL)',
    [planted],
  );
  const port = await getPort({ host: '127.0.0.1' });
  const { child, output } = startDispatcher(port);
  // With the one of the test before.
  await vi.waitFor(async () => expect(await gauge(port, 'incassa_reconcile_differences')).toBe(2), PATIENCE);
  await vi.waitFor(() => expect(output()).toContain(`derivation of address ${planted} of nobody`), PATIENCE);
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}, 90_000);

test('a metrics port that is taken ends nothing else, and a node that is down makes the comparison old, not wrong', async () => {
  const port = await getPort({ host: '127.0.0.1' });
  const first = startDispatcher(port);
  await vi.waitFor(async () => expect(await gauge(port, 'incassa_reconcile_age_seconds')).not.toBeNull(), PATIENCE);
  const second = startDispatcher(port);
  await vi.waitFor(() => expect(second.output()).toContain('no metrics'), PATIENCE);
  await vi.waitFor(async () => expect(await gauge(port, 'incassa_reconcile_age_seconds')).toBeLessThan(3), PATIENCE);
  await chain.anvil.stop();
  await vi.waitFor(async () => expect(await gauge(port, 'incassa_reconcile_age_seconds')).toBeGreaterThan(4), PATIENCE);
  expect(await gauge(port, 'incassa_ledger_difference_units')).toBe(7);
  expect(second.child.exitCode).toBeNull();
  expect(first.child.exitCode).toBeNull();
}, 90_000);
