import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Anvil, startAnvil } from '@/testing/anvil';
import { makeInvoice, makePool, makeUser } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';

const DUE = 10n ** 16n;
const PATIENCE = { timeout: 60_000, interval: 50 };
let database: TestDatabase;
let anvil: Anvil;
const running: ChildProcess[] = [];
let said = '';

beforeAll(async () => {
  database = await createTestDatabase();
  anvil = await startAnvil(['--block-time', '1']);
  await makePool(database.db.pool, { count: 1 });
  await database.db.pool.query(`INSERT INTO pool_generation VALUES ('EVM', 1)`);
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await anvil.stop();
  await database.drop();
});

/** The real process on a machine whose clock is so far off; a SIGUSR2 sets it as far off the other way. */
function startWatcher(shiftSeconds: number): ChildProcess {
  const preload = ['--import', 'tsx', '--import', './testing/shift-machine-clock.ts'];
  const child = spawn(process.execPath, [...preload, 'workers/main.ts', 'watcher'], {
    env: {
      NODE_ENV: 'production',
      MACHINE_CLOCK_SHIFT_MS: String(shiftSeconds * 1000),
      WATCHER_DATABASE_URL: database.roleUrl('watcher'),
      ETH_RPC_URL: anvil.url,
      ETH_CHAIN_ID: '31337',
      ETH_CONFIRMATIONS: '2',
      ETH_POLL_MS: '100',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (said += text));
  running.push(child);
  return child;
}

const query = async (text: string) => (await database.db.pool.query(text)).rows[0];
const cursor = () =>
  query(`SELECT lease_token::int AS token, lease_owner AS owner, height::int, loaded_generation::int AS loaded,
    extract(epoch FROM now() - updated_at)::float8 AS age, (SELECT count(*)::int FROM watcher_outage) AS outages
    FROM chain_cursor`);
/** Waits until the holder has read so many blocks more: it works. */
const readOn = async (blocks: number) => {
  const { height } = await cursor();
  await vi.waitFor(async () => expect((await cursor()).height, said).toBeGreaterThanOrEqual(height + blocks), PATIENCE);
};

test('a lease is kept and none is stolen by watchers whose clocks are ten minutes off, either way and jumping', async () => {
  const holder = startWatcher(-600);
  await vi.waitFor(async () => expect(await cursor(), said).toMatchObject({ loaded: 1 }), PATIENCE);
  const { token, owner } = await cursor();
  const standby = startWatcher(600);
  await vi.waitFor(() => expect(said.match(/worker starts/g)).toHaveLength(2), PATIENCE);
  // Longer than the five seconds of a lease.
  await readOn(7);
  expect(await cursor()).toMatchObject({ token, owner, outages: 0 });
  for (const child of [holder, standby]) child.kill('SIGUSR2');
  await readOn(7);
  const after = await cursor();
  expect(after).toMatchObject({ token, owner, outages: 0 });
  expect(after.age).toBeLessThan(10);

  const { id } = await makeUser(database.db.pool);
  const invoice = await makeInvoice(database.db.pool, { userId: id, dueUnits: DUE });
  const { address } = await query(`SELECT address FROM wallet WHERE id = ${invoice.walletId}`);
  const [from] = (await anvil.rpc('eth_accounts')) as string[];
  await anvil.rpc('eth_sendTransaction', [{ from, to: address, value: `0x${DUE.toString(16)}`, gas: '0x5208' }]);
  await vi.waitFor(
    async () => expect(await query('SELECT status FROM invoice'), said).toEqual({ status: 'paid' }),
    PATIENCE,
  );
  const seen = await query('SELECT extract(epoch FROM now() - seen_at)::float8 AS age FROM deposit');
  expect(Math.abs(seen.age)).toBeLessThan(30);

  // A holder that dies is followed after its term by the clock of the database, whatever the heir's own says.
  holder.kill('SIGKILL');
  const diedAt = performance.now();
  await vi.waitFor(async () => expect((await cursor()).token).toBe(token + 1), PATIENCE);
  expect(performance.now() - diedAt).toBeGreaterThan(2_000);
  expect(performance.now() - diedAt).toBeLessThan(20_000);
}, 180_000);
