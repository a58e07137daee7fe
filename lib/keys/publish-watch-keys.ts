import { entropyToMnemonic, mnemonicToSeed } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { evmAccountKey } from '@/lib/chains/evm/account-key';
import type { Sql } from '@/lib/db/database';

/** Accounts below the seed: the purpose of each (design, "Keys"). */
const EVM_ACCOUNTS = [
  { purpose: 'primary', account: 0 },
  { purpose: 'invoice', account: 1 },
] as const;

/**
 * Publishes the public keys from which addresses are derived, and checks those that are published already.
 * @param entropy the 32 bytes behind the 24 words
 * @throws Error when a published key does not belong to this seed: its addresses could not be spent from
 */
export async function publishWatchKeys(sql: Sql, entropy: Uint8Array): Promise<void> {
  const seed = await mnemonicToSeed(entropyToMnemonic(entropy, wordlist));
  try {
    for (const { purpose, account } of EVM_ACCOUNTS) {
      await publish(sql, { family: 'EVM', purpose, ...evmAccountKey(seed, account) });
    }
  } finally {
    seed.fill(0);
  }
}

interface WatchKey {
  family: string;
  purpose: string;
  path: string;
  publicKey: string;
}

async function publish(sql: Sql, { family, purpose, path, publicKey }: WatchKey): Promise<void> {
  await sql.query(
    `INSERT INTO watch_key (family, purpose, path, public_key) VALUES ($1::address_family, $2::address_purpose, $3, $4)
     ON CONFLICT (family, purpose) DO NOTHING`,
    [family, purpose, path, publicKey],
  );
  const { rows } = await sql.query<{ public_key: string }>(
    'SELECT public_key FROM watch_key WHERE family = $1::address_family AND purpose = $2::address_purpose',
    [family, purpose],
  );
  if (rows[0]?.public_key !== publicKey) {
    throw new Error(`The published ${family} key for ${purpose} addresses does not belong to this instance's seed.`);
  }
}
