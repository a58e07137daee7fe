import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { spawnTied } from '@/starter/processes/spawn-tied.mjs';
import { StartError } from '@/starter/start-error';
import { callNode } from './call-node';
import { ETHEREUM_CHAIN_ID } from './chain-id';

const READY_WITHIN_MS = 20_000;

type Options = {
  /** Where anvil keeps states that it needs no longer in memory. */
  folder: string;
  /** TCP port on loopback. */
  port: number;
  /** A saved chain to go on with. */
  state: string | undefined;
  log: (line: string) => void;
};

/** A running anvil. */
export type Anvil = {
  child: ChildProcess;
  /** Resolves when it has ended, by whatever cause. */
  ended: Promise<void>;
};

/**
 * Starts anvil without an unlocked account, `finalized` four blocks behind the head, and waits until it answers. It makes
 * no block until it is told to.
 *
 * @throws {StartError} when the package has no program for this machine
 * @throws {Error} when it ends or does not answer in time
 */
export async function launchAnvil({ folder, port, state, log }: Options): Promise<Anvil> {
  const cache = path.join(folder, 'ethereum-cache');
  rmSync(cache, { recursive: true, force: true });
  const child = spawnTied(
    anvilProgram(),
    [
      ...['--host', '127.0.0.1', '--port', String(port), '--quiet', '--no-cors'],
      ...['--chain-id', String(ETHEREUM_CHAIN_ID), '--no-mining', '--slots-in-an-epoch', '2'],
      ...['--accounts', '0', '--cache-path', cache],
      ...(state === undefined ? [] : ['--load-state', state]),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    { signal: 'SIGTERM', patienceMs: 2_000 },
  );
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    if (input === null) continue;
    createInterface({ input }).on('line', (line) => {
      lines.push(line);
      log(line);
    });
  }
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', (error) => {
      lines.push(error.message);
      resolve();
    });
  });
  await waitUntilReady({ child, ended }, port, lines);
  return { child, ended };
}

/**
 * Path of the real `anvil` program. The package's own `bin.mjs` would put a Node process between it and us, which a
 * signal ends without ending anvil.
 */
function anvilProgram(): string {
  const machine = `${platform()}-${arch() === 'x64' ? 'amd64' : arch()}`;
  const require = createRequire(import.meta.url);
  try {
    return createRequire(require.resolve('@foundry-rs/anvil/package.json')).resolve(
      `@foundry-rs/anvil-${machine}/bin/anvil`,
    );
  } catch {
    throw new StartError(`There is no local Ethereum node for this machine (${machine}): set ETH_RPC_URL.`);
  }
}

async function waitUntilReady({ child, ended }: Anvil, port: number, lines: string[]): Promise<void> {
  let gone = false;
  void ended.then(() => {
    gone = true;
  });
  for (const deadline = Date.now() + READY_WITHIN_MS; Date.now() < deadline; await sleep(25)) {
    if (gone) throw new Error(`the Ethereum node ended: ${lines.at(-1) ?? 'it said nothing'}`);
    const chain = await callNode(`http://127.0.0.1:${port}`, 'eth_chainId', [], z.string()).catch(() => undefined);
    if (chain !== undefined && Number(chain) === ETHEREUM_CHAIN_ID) return;
  }
  child.kill('SIGKILL');
  throw new Error('the Ethereum node was not ready in time');
}
