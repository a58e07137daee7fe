import { existsSync, mkdirSync } from 'node:fs';
import { z } from 'zod';
import multicall3 from '@/lib/chains/evm/multicall3.json';
import { endProcess } from '@/starter/processes/end-process';
import { BlockMaker } from './block-maker';
import { callNode } from './call-node';
import { keepSaving, setChainAside, stateFile } from './chain-state';
import { forgetGenesis, keepOneGenesis, noteGenesis } from './genesis';
import { type Anvil, launchAnvil } from './launch-anvil';

type Options = {
  /** Where the chain is kept. */
  folder: string;
  /** TCP port on loopback. */
  port: number;
  log: (line: string) => void;
};

export type EthereumNode = {
  url: string;
  pid: number;
  /** Resolves when the node has ended, by whatever cause. */
  ended: Promise<void>;
  blocks: BlockMaker;
  /** Saves the chain now, rather than within seconds. */
  save(): Promise<void>;
  /** Saves the chain, ends the node and waits for it. */
  stop(): Promise<void>;
};

/**
 * Starts the local Ethereum node: a block every two seconds whether or not there are transactions, `finalized` four
 * blocks behind, Multicall3 where every real chain has it, no unlocked account. The chain goes on where it was, for ever
 * with the same genesis.
 *
 * @throws {Error} when the node does not become ready
 */
export async function startNode({ folder, port, log }: Options): Promise<EthereumNode> {
  mkdirSync(folder, { recursive: true });
  const known = existsSync(stateFile(folder));
  const launched = known ? goOn({ folder, port, log }) : begin({ folder, port, log });
  const anvil = await launched.catch((error: Error) => {
    if (!known) throw error;
    log(`the saved chain cannot be read, a new one begins: ${error.message}`);
    setChainAside(folder);
    return begin({ folder, port, log });
  });
  const url = `http://127.0.0.1:${port}`;
  await noteGenesis(url, folder);
  await callNode(url, 'anvil_setCode', [multicall3.address, multicall3.runtimeBytecode], z.unknown());
  const blocks = new BlockMaker(url);
  await blocks.start(Date.now());
  const saver = keepSaving(url, folder, log);
  const stop = async () => {
    await saver.stop();
    await endProcess(anvil.child, [
      ['SIGTERM', 2_000],
      ['SIGKILL', 2_000],
    ]);
  };
  return { url, pid: anvil.child.pid ?? 0, ended: anvil.ended, blocks, save: saver.save, stop };
}

async function goOn({ folder, port, log }: Options): Promise<Anvil> {
  keepOneGenesis(stateFile(folder), folder);
  return launchAnvil({ folder, port, log, state: stateFile(folder) });
}

async function begin({ folder, port, log }: Options): Promise<Anvil> {
  forgetGenesis(folder);
  return launchAnvil({ folder, port, log, state: undefined });
}
