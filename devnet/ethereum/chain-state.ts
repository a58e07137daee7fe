import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';
import { callNode } from './call-node';
import { forgetGenesis } from './genesis';

const unzip = promisify(gunzip);
const hex = z.string().regex(/^0x[0-9a-f]*$/);

/** A dump grows with the chain (150 ms after 4,000 blocks, 660 ms after 20,000): it may take this share of the time. */
const SAVE_SHARE = 1 / 30;
const SAVE_EVERY_MS = 2_000;
/** What is lost by a kill -9 must stay above the finalized block, eight seconds back. */
const SAVE_AT_LEAST_EVERY_MS = 6_000;

/** Where the chain of one instance is kept between starts. */
export function stateFile(folder: string): string {
  return path.join(folder, 'ethereum-state.json');
}

/**
 * Writes the node's whole chain to disk, replacing the previous copy in one step: a kill in the middle of it leaves the
 * previous one whole (anvil's own `--state` file would be cut short).
 *
 * @param url the node's address
 * @param folder the devnet's folder
 */
async function saveChain(url: string, folder: string): Promise<void> {
  const dumped = await callNode(url, 'anvil_dumpState', [], hex);
  mkdirSync(folder, { recursive: true });
  const target = stateFile(folder);
  writeFileSync(`${target}.new`, await unzip(Buffer.from(dumped.slice(2), 'hex')));
  renameSync(`${target}.new`, target);
}

/** Puts a chain that the node cannot read aside, so that the next start begins a new one. */
export function setChainAside(folder: string): void {
  if (existsSync(stateFile(folder))) renameSync(stateFile(folder), `${stateFile(folder)}.unreadable`);
  forgetGenesis(folder);
}

/** What keeps a chain on disk. */
export type ChainSaver = {
  /** Saves now, once more after a save that is under way. */
  save(): Promise<void>;
  /** Saves a last time and ends the saving. */
  stop(): Promise<void>;
};

/**
 * Saves the chain again and again.
 *
 * @param url the node's address
 * @param folder the devnet's folder
 * @param log receives a line when a save fails
 */
export function keepSaving(url: string, folder: string, log: (line: string) => void): ChainSaver {
  const stopping = new AbortController();
  let last: Promise<void> = Promise.resolve();
  const save = () => {
    last = last
      .then(() => saveChain(url, folder))
      .catch((error: Error) => log(`the chain was not saved: ${error.message}`));
    return last;
  };
  const done = (async () => {
    while (!stopping.signal.aborted) {
      const begun = performance.now();
      await save();
      const pauseMs = Math.max(SAVE_EVERY_MS, (performance.now() - begun) / SAVE_SHARE);
      const options = { signal: stopping.signal, ref: false };
      await sleep(Math.min(pauseMs, SAVE_AT_LEAST_EVERY_MS), undefined, options).catch(() => undefined);
    }
    await save();
  })();
  return {
    save,
    stop: () => {
      stopping.abort();
      return done;
    },
  };
}
