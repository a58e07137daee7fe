import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Anvil, startAnvil } from '@/testing/anvil';
import { makeInvoice, makePool, makeUser } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';

const DUE = 10n ** 16n;
const PATIENCE = { timeout: 60_000, interval: 100 };

let database: TestDatabase;
let anvil: Anvil;
let worker: ChildProcess | undefined;
let said = '';

beforeAll(async () => {
  database = await createTestDatabase();
  anvil = await startAnvil(['--no-mining']);
});
afterAll(async () => {
  worker?.kill('SIGKILL');
  await anvil.stop();
  await database.drop();
});

/** The watcher as it runs in production: its own process and login. */
function startWorker(): ChildProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', 'workers/main.ts', 'watcher'], {
    env: {
      NODE_ENV: 'production',
      WATCHER_DATABASE_URL: database.roleUrl('watcher'),
      ETH_RPC_URL: anvil.url,
      ETH_CHAIN_ID: '31337',
      ETH_CONFIRMATIONS: '2',
      ETH_POLL_MS: '100',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += text));
  worker = child;
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const ended = once(child, 'exit');
  child.kill(signal);
  const [code] = await ended;
  return code;
}

async function one(statement: string): Promise<Record<string, unknown>> {
  const { rows } = await database.db.pool.query(statement);
  return rows[0] ?? {};
}

test('a watcher killed between payment and confirmation settles the invoice after its restart, once', async () => {
  await makePool(database.db.pool, { count: 1 });
  await database.db.pool.query(`INSERT INTO pool_generation VALUES ('EVM', 1)`);
  const first = startWorker();
  await vi.waitFor(
    async () =>
      expect(await one('SELECT loaded_generation FROM chain_cursor'), said).toEqual({ loaded_generation: 1n }),
    PATIENCE,
  );
  const { id } = await makeUser(database.db.pool);
  await makeInvoice(database.db.pool, { userId: id, dueUnits: DUE });
  const { address } = await one('SELECT address FROM wallet');
  const [from] = (await anvil.rpc('eth_accounts')) as string[];
  await anvil.rpc('eth_sendTransaction', [{ from, to: address, value: `0x${DUE.toString(16)}`, gas: '0x5208' }]);
  await anvil.rpc('evm_mine');
  const seen = { status: 'pending', payment_state: 'confirming' };
  await vi.waitFor(
    async () => expect(await one('SELECT status, payment_state FROM invoice'), said).toEqual(seen),
    PATIENCE,
  );
  await end(first, 'SIGKILL');
  await anvil.rpc('evm_mine');
  const second = startWorker();
  const paid = { status: 'paid', payment_state: 'settled' };
  await vi.waitFor(
    async () => expect(await one('SELECT status, payment_state FROM invoice'), said).toEqual(paid),
    PATIENCE,
  );
  expect(await one('SELECT count(*)::int FROM deposit')).toEqual({ count: 1 });
  expect(await one(`SELECT count(*)::int FROM invoice_event WHERE to_status = 'paid'`)).toEqual({ count: 1 });
  const stoppedAt = Date.now();
  expect(await end(second, 'SIGTERM')).toBe(0);
  expect(Date.now() - stoppedAt).toBeLessThan(5_000);
  expect(await one('SELECT lease_expires_at <= now() AS is_free FROM chain_cursor')).toEqual({ is_free: true });
}, 120_000);

test('a settlement that waits for its invoice holds up no block, and is made when the invoice is free', async () => {
  await makePool(database.db.pool, { count: 1, generation: 2n });
  await database.db.pool.query(`UPDATE pool_generation SET generation = 2`);
  const { id } = await makeUser(database.db.pool);
  const { uuid, walletId } = await makeInvoice(database.db.pool, { userId: id, dueUnits: DUE });
  const { rows } = await database.db.pool.query('SELECT address FROM wallet WHERE id = $1', [walletId]);
  const running = startWorker();
  await vi.waitFor(
    async () =>
      expect(await one('SELECT loaded_generation FROM chain_cursor'), said).toEqual({ loaded_generation: 2n }),
    PATIENCE,
  );
  const holder = await database.db.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await holder.query('SELECT 1 FROM invoice WHERE uuid = $1 FOR UPDATE', [uuid]);
    const [from] = (await anvil.rpc('eth_accounts')) as string[];
    await anvil.rpc('eth_sendTransaction', [
      { from, to: rows[0]?.address, value: `0x${DUE.toString(16)}`, gas: '0x5208' },
    ]);
    await anvil.rpc('anvil_mine', ['0x8']);
    const settles = 'SELECT count(*)::int FROM pg_locks WHERE NOT granted';
    await vi.waitFor(async () => expect((await one(settles)).count, said).toBeGreaterThan(0), PATIENCE);
    // Were reading to wait for the settlement, each of these blocks would take as long as it waits for its lock.
    for (let blocks = 0; blocks < 12; blocks += 1) {
      await anvil.rpc('evm_mine');
      const height = BigInt((await anvil.rpc('eth_blockNumber', [])) as string);
      await vi.waitFor(
        async () => expect(await one('SELECT height FROM chain_cursor'), said).toEqual({ height }),
        PATIENCE,
      );
    }
    expect(await one(`SELECT status FROM invoice WHERE uuid = '${uuid}'`)).toEqual({ status: 'pending' });
  } finally {
    await holder.query('ROLLBACK');
    holder.release();
  }
  await vi.waitFor(
    async () =>
      expect(await one(`SELECT status FROM invoice WHERE uuid = '${uuid}'`), said).toEqual({ status: 'paid' }),
    PATIENCE,
  );
  expect(await end(running, 'SIGTERM')).toBe(0);
}, 120_000);
