import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { callNode } from './call-node';

const quantity = z.string().regex(/^0x[0-9a-f]+$/);
const genesisSchema = z.object({ hash: z.string(), timestamp: quantity });
const stateSchema = z.looseObject({
  blocks: z.array(z.looseObject({ header: z.looseObject({ number: quantity, timestamp: quantity }) })),
});
type Block = z.infer<typeof stateSchema>['blocks'][number];

/** Where the identity of an instance's chain is noted, for as long as its data folder lives. */
function genesisFile(folder: string): string {
  return path.join(folder, 'ethereum-genesis.json');
}

/** Notes the node's block 0 as the identity of this folder's chain, unless one is noted. */
export async function noteGenesis(url: string, folder: string): Promise<void> {
  const file = genesisFile(folder);
  if (existsSync(file)) return;
  const genesis = await callNode(url, 'eth_getBlockByNumber', ['0x0', false], genesisSchema);
  writeFileSync(`${file}.new`, JSON.stringify(genesis));
  renameSync(`${file}.new`, file);
}

/** Forgets the identity, for a new chain. */
export function forgetGenesis(folder: string): void {
  rmSync(genesisFile(folder), { force: true });
}

/**
 * Leaves one block 0 in a saved chain. Each launch of anvil makes a block 0 of its own before it loads the saved chain,
 * and saves both, in no fixed order; on the next load whichever comes last counts as the genesis, and the chain looks
 * replaced (tried with anvil 1.7.1). The block 0 of one launch differs from another's by its time alone.
 *
 * @param file the saved chain, rewritten in one step where it holds more than one block 0
 * @param folder where the identity is noted; without a note the oldest block 0 is the chain's own
 * @throws {Error} when the file holds no chain
 */
export function keepOneGenesis(file: string, folder: string): void {
  const state = stateSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const candidates = state.blocks.filter(isFirst);
  if (candidates.length < 2) return;
  const own = notedTimestamp(folder) ?? Math.min(...candidates.map(timestampOf));
  if (!candidates.some((block) => timestampOf(block) === own)) throw new Error('the saved chain has lost its block 0');
  const blocks = state.blocks.filter((block) => !isFirst(block) || timestampOf(block) === own);
  writeFileSync(`${file}.new`, JSON.stringify({ ...state, blocks }));
  renameSync(`${file}.new`, file);
}

function isFirst({ header }: Block): boolean {
  return Number(header.number) === 0;
}

function timestampOf({ header }: Block): number {
  return Number(header.timestamp);
}

function notedTimestamp(folder: string): number | undefined {
  try {
    return Number(genesisSchema.parse(JSON.parse(readFileSync(genesisFile(folder), 'utf8'))).timestamp);
  } catch {
    return undefined;
  }
}
