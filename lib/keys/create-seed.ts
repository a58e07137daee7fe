import { randomUUID } from 'node:crypto';
import { entropyToMnemonic, generateMnemonic, mnemonicToEntropy } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { Sql } from '@/lib/db/database';
import { KEK_VERSION, openSeed, sealSeed } from '@/lib/keys/vault';
import { findSeed, insertSeed } from './repository';

const ENTROPY_BITS = 256;

export interface CreateSeedOptions {
  network: string;
  kek: Uint8Array;
  /** 24 words of an existing paper backup; new ones are drawn when left out. */
  words?: string;
}

/**
 * Gives the instance its seed, unless it has one already.
 * @returns the 24 words of a seed that was stored now, or null when there was one, which this KEK opens
 * @throws Error when the words are not a BIP-39 phrase of 24 English words, or the stored seed does not open
 */
export async function createSeed(sql: Sql, { network, kek, words }: CreateSeedOptions): Promise<string | null> {
  const entropy = Buffer.from(entropyOf(words));
  try {
    const identity = { sealId: randomUUID(), network, kekVersion: KEK_VERSION };
    const isNew = (await insertSeed.count(sql, sealSeed(entropy, kek, identity))) === 1;
    if (isNew) return entropyToMnemonic(entropy, wordlist);
  } finally {
    entropy.fill(0);
  }
  const existing = await findSeed.first(sql, { network });
  if (existing) openSeed(existing, kek).fill(0);
  return null;
}

function entropyOf(words: string | undefined): Uint8Array {
  const phrase = words?.trim().toLowerCase().replace(/\s+/g, ' ') ?? generateMnemonic(wordlist, ENTROPY_BITS);
  if (phrase.split(' ').length !== 24) throw new Error('The seed must have 24 words.');
  try {
    return mnemonicToEntropy(phrase, wordlist);
  } catch (cause) {
    throw new Error('These are not the 24 words of a BIP-39 seed: check their spelling and order.', { cause });
  }
}
