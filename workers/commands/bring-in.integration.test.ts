import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { startWatchedChain, type WatchedChain } from '@/testing/watched-chain';

const DUE = 10n ** 16n;

let database: TestDatabase;
let chain: WatchedChain;

beforeAll(async () => {
  database = await createTestDatabase();
  chain = await startWatchedChain(database.db);
});
afterAll(async () => {
  await chain.stop();
  await database.drop();
});

/** What an operator types, and what it says. */
function run(command: string, ...given: string[]) {
  const environment = {
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    ETH_RPC_URL: chain.anvil.url,
    ETH_CHAIN_ID: '31337',
  } as const;
  const program = ['--import', 'tsx', `workers/commands/${command}.ts`, ...given];
  return promisify(execFile)(process.execPath, program, { env: environment });
}

test('an operator credits what came through a contract by its block, and is told when there is nothing to credit', async () => {
  const invoice = await chain.invoice(DUE);
  await chain.payThroughContract(invoice.address, DUE);
  const height = BigInt((await chain.anvil.rpc('eth_blockNumber', [])) as string);
  await chain.finalize();
  const credit = () =>
    run('credit', 'ETH', invoice.address, '--block', `${height}`, '--tx', '0xc0ffee', '--operator', 'giulia');
  expect((await credit()).stdout).toBe(`0.010000000000000000 ETH were credited to ${invoice.address}.\n`);
  await chain.read();
  const { rows } = await database.db.pool.query(
    `SELECT status, tx_hash, block_height, operator FROM invoice i JOIN deposit d ON d.wallet_id = i.wallet_id
       JOIN deposit_credit c ON c.deposit_id = d.id`,
  );
  expect(rows).toEqual([{ status: 'paid', tx_hash: '0xc0ffee', block_height: height, operator: 'giulia' }]);
  await expect(credit()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('nothing was credited') });
  await expect(run('credit', 'ETH', 'nowhere')).rejects.toMatchObject({ stderr: 'nowhere is no address of ETH.\n' });
  await expect(run('credit', 'ETH')).rejects.toMatchObject({ stderr: expect.stringContaining('Usage') });
}, 60_000);

test('an operator has blocks read again by the watcher, and is told what came of it', async () => {
  const asked = run('rescan', 'ETH', '0', '--operator', 'giulia');
  const open = 'SELECT count(*)::int AS n FROM rescan WHERE finished_at IS NULL';
  await expect.poll(async () => (await database.db.pool.query(open)).rows[0]?.n, { timeout: 20_000 }).toBe(1);
  await chain.read();
  expect((await asked).stdout).toMatch(
    /Blocks 0 to \d+ of ethereum are read again by the watcher\.\n(.*\n)*Nothing was missing\.\n$/,
  );
  await expect(run('rescan', 'ETH', '99999')).rejects.toMatchObject({
    stderr: 'No such blocks of ethereum were read yet.\n',
  });
  await expect(run('rescan', 'ETH')).rejects.toMatchObject({ stderr: expect.stringContaining('Usage') });
}, 60_000);
