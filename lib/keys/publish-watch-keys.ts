import { entropyToMnemonic, mnemonicToSeed } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { ChainDefinition } from '@/lib/chains/definition';
import { CHAIN_DEFINITIONS } from '@/lib/chains/registry';
import type { Sql } from '@/lib/db/database';
import { CHAIN_INFO } from '@/lib/shared/chains';
import { findWatchKey, insertWatchKey, type NewWatchKey, selectMerchants } from './repository';

/** Accounts below the seed: the purpose of each. */
const ACCOUNTS = [
  { purpose: 'primary', account: 0 },
  { purpose: 'invoice', account: 1 },
] as const;

/**
 * Publishes the public keys from which addresses are derived, and checks those that are published already: for every chain
 * that the product can read, one key per purpose for all, or one for each merchant.
 * @param entropy the 32 bytes behind the 24 words
 * @param definitions the chains; all that the product can read unless told otherwise
 * @throws Error when a published key does not belong to this seed: its addresses could not be spent from
 */
export async function publishWatchKeys(
  sql: Sql,
  entropy: Uint8Array,
  definitions: readonly ChainDefinition[] = CHAIN_DEFINITIONS,
): Promise<void> {
  const seed = await mnemonicToSeed(entropyToMnemonic(entropy, wordlist));
  try {
    for (const definition of definitions)
      for (const merchantId of await ownersOf(sql, definition)) await publishKeys(sql, definition, seed, merchantId);
  } finally {
    seed.fill(0);
  }
}

/** @returns the merchants with a key of their own; null stands for all of them */
async function ownersOf(sql: Sql, { traits }: ChainDefinition): Promise<(number | null)[]> {
  return traits.keyScope === 'instance' ? [null] : (await selectMerchants.all(sql, {})).map(({ id }) => id);
}

async function publishKeys(
  sql: Sql,
  { chain, keys }: ChainDefinition,
  seed: Uint8Array,
  merchantId: number | null,
): Promise<void> {
  const { family } = CHAIN_INFO[chain];
  const scheme = await keys();
  for (const { purpose, account } of ACCOUNTS)
    await publish(sql, { family, purpose, merchantId, ...scheme.accountKey(seed, account, merchantId) });
}

async function publish(sql: Sql, key: NewWatchKey): Promise<void> {
  await insertWatchKey.count(sql, key);
  const { family, purpose, merchantId } = key;
  const published = await findWatchKey.one(sql, { family, purpose, merchantId });
  if (published.publicKey !== key.publicKey) {
    throw new Error(`The published ${family} key for ${purpose} addresses does not belong to this instance's seed.`);
  }
}
