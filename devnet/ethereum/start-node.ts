import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import multicall3 from '@/lib/chains/evm/multicall3.json';
import { ETHEREUM_CHAIN_ID } from '@/starter/local-chain';
import { endProcess } from '@/starter/processes/end-process';
import { tieToParent } from '@/starter/processes/tie-to-parent';
import { anvilProgram } from './anvil-program';
import { callNode } from './call-node';
import { setChainAside, stateFile } from './chain-state';
import { keepSaving } from './keep-saving';

const READY_WITHIN_MS = 20_000;
type Options = {
  /** Where the chain is kept. */
  folder: string;
  /** TCP port on loopback. */
  port: number;
  log: (line: string) => void;
};

type EthereumNode = {
  url: string;
  /** Resolves when the node has ended, by whatever cause. */
  ended: Promise<void>;
  /** Saves the chain, ends the node and waits for it. */
  stop(): Promise<void>;
};

/**
 * Starts the local Ethereum node: a block every two seconds whether or not there are transactions, `finalized` four
 * blocks behind, Multicall3 where every real chain has it, no unlocked account. The chain goes on where it was.
 *
 * @throws {Error} when the node does not become ready
 */
export async function startNode({ folder, port, log }: Options): Promise<EthereumNode> {
  mkdirSync(folder, { recursive: true });
  const known = existsSync(stateFile(folder));
  const node = await launch(folder, port, log).catch(async (error: Error) => {
    if (!known) throw error;
    log(`the saved chain cannot be read, a new one begins: ${error.message}`);
    setChainAside(folder);
    return launch(folder, port, log);
  });
  const url = `http://127.0.0.1:${port}`;
  await callNode(url, 'anvil_setCode', [multicall3.address, multicall3.runtimeBytecode], z.unknown());
  const saving = keepSaving(url, folder, log);
  const stop = async () => {
    await saving.stop();
    await endProcess(node.child, [
      ['SIGTERM', 2_000],
      ['SIGKILL', 2_000],
    ]);
  };
  return { url, ended: node.ended, stop };
}

async function launch(folder: string, port: number, log: (line: string) => void) {
  const cache = path.join(folder, 'ethereum-cache');
  rmSync(cache, { recursive: true, force: true });
  const child = spawn(anvilProgram(), nodeArguments(folder, cache, port), {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  tieToParent(child, 'SIGTERM');
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
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
  await waitUntilReady(child, ended, port, lines);
  return { child, ended };
}

function nodeArguments(folder: string, cache: string, port: number): string[] {
  return [
    ...['--host', '127.0.0.1', '--port', String(port), '--quiet', '--no-cors'],
    ...['--chain-id', String(ETHEREUM_CHAIN_ID), '--block-time', '2', '--slots-in-an-epoch', '2'],
    ...['--accounts', '0', '--cache-path', cache],
    ...(existsSync(stateFile(folder)) ? ['--load-state', stateFile(folder)] : []),
  ];
}

async function waitUntilReady(child: ChildProcess, ended: Promise<void>, port: number, lines: string[]): Promise<void> {
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
