import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chainDefinition } from '@/lib/chains/registry';
import { writeInstance } from '@/starter/instance';
import { processFacts } from '@/starter/processes/process-facts.mjs';
import { answering, startScriptedNode } from '@/testing/scripted-node';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { startWatchedChain, type WatchedChain } from '@/testing/watched-chain';

const DUE = 10n ** 16n;
const TIMEOUT_MS = 60_000;

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

interface Ran {
  status: number;
  stdout: string;
  stderr: string;
}

/** The command as `npm run reconcile` runs it, in its own process. */
function reconcile(args: string[] = [], environment: Record<string, string> = {}): Promise<Ran> {
  const env = {
    NODE_ENV: 'production',
    DISPATCHER_DATABASE_URL: database.roleUrl('dispatcher'),
    ETH_RPC_URL: chain.anvil.url,
    ETH_CHAIN_ID: '31337',
    ...environment,
  } as const;
  const command = ['--import', 'tsx', 'starter/with-instance.ts', 'workers/commands/reconcile.ts', ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { env }, (error, stdout, stderr) =>
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

test(
  'the exit status tells: 0 when all agrees, 1 for money that nothing explains, 2 without a node',
  async () => {
    const [paid, other] = [await chain.invoice(DUE), await chain.invoice(DUE)];
    await chain.pay(paid.address, DUE);
    await chain.finalize();

    const clean = await reconcile();
    expect(clean, clean.stderr).toMatchObject({ status: 0, stderr: '' });
    expect(clean.stdout).toMatch(
      /^ETH: everything agrees\n {2}\d+ addresses hold 0\.01 ETH at block \d+, 100% explained\n/,
    );
    const [report] = JSON.parse((await reconcile(['--json'])).stdout);
    expect(report).toMatchObject({ coin: 'ETH', completeness: 1, timelinessSeconds: 0, differences: [], inFlight: [] });
    expect(report).toMatchObject({ onChainUnits: DUE.toString(), invoiceCount: 2, notCompared: null });

    const down = await reconcile([], { ETH_RPC_URL: 'http://127.0.0.1:9' });
    expect(down.status).toBe(2);
    expect(down.stdout).toContain('chain not compared: 127.0.0.1:9 cannot be reached');

    await chain.payThroughContract(other.address, DUE / 4n);
    await chain.finalize();
    const found = await reconcile();
    expect(found.status).toBe(1);
    expect(found.stdout).toContain('DIFFERENCES: 1, 0.0025 ETH');
    expect(found.stdout).toContain(
      `address ${other.address} of invoice ${other.uuid}: 0 ETH expected, 0.0025 ETH found`,
    );
    expect((await reconcile(['--addresses', '4', '--days', '3'])).stdout).toMatch(/^ {2}[1-4] addresses hold /m);
  },
  TIMEOUT_MS,
);

test(
  'a command line or a configuration that cannot work is one sentence and 2',
  async () => {
    expect(await reconcile(['--addresses', 'all'])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^Usage:/),
    });
    const nowhere = { DISPATCHER_DATABASE_URL: '', DATA_DIR: '/nonexistent' };
    expect(await reconcile([], nowhere)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /^No instance runs on \/nonexistent.*\nBad configuration: DISPATCHER_DATABASE_URL/s,
      ),
    });
    const gone = await reconcile([], { DISPATCHER_DATABASE_URL: 'postgresql://nobody:nothing@127.0.0.1:9/none' });
    expect(gone).toMatchObject({ status: 2, stdout: '' });
    expect(gone.stderr).not.toContain('nothing');
  },
  TIMEOUT_MS,
);

test(
  'an embedded instance is found by its data folder, without any other variable',
  async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'incassa-reconcile-'));
    const devnetChainId = `0x${Number(chainDefinition('ethereum').devnetValues.CHAIN_ID).toString(16)}`;
    const devnet = await startScriptedNode(
      answering(({ method, params }) => (method === 'eth_chainId' ? devnetChainId : chain.anvil.rpc(method, params))),
    );
    try {
      mkdirSync(path.join(dataDir, 'run'));
      writeInstance({
        pid: process.pid,
        startedAt: processFacts(process.pid)?.startedAt ?? '',
        mode: 'embedded',
        url: 'http://127.0.0.1:9',
        listensOn: { host: '127.0.0.1', isPrivate: true },
        publicUrl: 'http://127.0.0.1:9',
        dataDir,
        devnet: { url: devnet.url, controlToken: 'none', chains: ['ethereum' as const], venues: [] },
        inboxUrl: null,
        smtpUrl: null,
        databaseUrl: database.url,
        demoMerchant: null,
        processes: {},
      });
      const unset = { DISPATCHER_DATABASE_URL: '', ETH_RPC_URL: '', ETH_CHAIN_ID: '' };
      const ran = await reconcile(['--json'], { ...unset, DATA_DIR: dataDir });
      expect(ran.stderr).toBe('');
      expect(JSON.parse(ran.stdout)).toMatchObject([{ coin: 'ETH', notCompared: null }]);
    } finally {
      await devnet.stop();
      rmSync(dataDir, { recursive: true });
    }
  },
  TIMEOUT_MS,
);
