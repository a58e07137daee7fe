import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';
import { callNode } from './call-node';

const unzip = promisify(gunzip);
const hex = z.string().regex(/^0x[0-9a-f]*$/);

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
export async function saveChain(url: string, folder: string): Promise<void> {
  const dumped = await callNode(url, 'anvil_dumpState', [], hex);
  mkdirSync(folder, { recursive: true });
  const target = stateFile(folder);
  writeFileSync(`${target}.new`, await unzip(Buffer.from(dumped.slice(2), 'hex')));
  renameSync(`${target}.new`, target);
}

/** Puts a chain that the node cannot read aside, so that the next start begins a new one. */
export function setChainAside(folder: string): void {
  if (existsSync(stateFile(folder))) renameSync(stateFile(folder), `${stateFile(folder)}.unreadable`);
}
