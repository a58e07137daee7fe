import { mnemonicToEntropy } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { Database } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { BURNED_AT_LEAST } from '@/lib/shared/limits';
import { type CreateSeedOptions, createSeed } from './create-seed';
import { publishWatchKeys } from './publish-watch-keys';
import { noteWords } from './repository';

/**
 * Gives the instance the seed of a paper backup, unless it has one. Its addresses may be known to customers of an instance that
 * is lost, and this database knows none of them: the first ones are taken out of use as after a restore.
 * @returns the words, or null when there was a seed already
 * @throws Error when these are no 24 words of a seed
 */
export async function adoptSeed(
  db: Pick<Database, 'pool'>,
  options: CreateSeedOptions & { words: string },
): Promise<string | null> {
  return transaction(db, async (sql) => {
    const words = await createSeed(sql, options);
    if (words === null) return null;
    const entropy = mnemonicToEntropy(words, wordlist);
    try {
      await publishWatchKeys(sql, entropy);
    } finally {
      entropy.fill(0);
    }
    await noteWords.count(sql, { atLeast: BURNED_AT_LEAST });
    return words;
  });
}
