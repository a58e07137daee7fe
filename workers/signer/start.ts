import { databaseUrl, env } from '@/lib/config/env';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { loadKek } from '@/lib/keys/load-kek';
import { publishWatchKeys } from '@/lib/keys/publish-watch-keys';
import { findSeed } from '@/lib/keys/repository';
import { seedNetwork } from '@/lib/keys/seed-network';
import { openSeed } from '@/lib/keys/vault';
import type { RoleContext } from '../runtime/worker-context';

/**
 * The signer: proves that it can open the seed, publishes the public keys, then waits for its end.
 * @throws Error with one sentence when KEK or seed are missing or do not fit: without them it must not run
 */
export async function startSigner({ signal, logger }: RoleContext): Promise<void> {
  const db = openDatabase(databaseUrl('signer'), { max: 2, applicationName: 'incassa-signer' });
  try {
    await openAndPublish(db);
    logger.info('seed opened, public keys published');
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
  } finally {
    await closeDatabase(db);
  }
}

async function openAndPublish(db: Database): Promise<void> {
  const kek = await loadKek(env());
  const sealed = await findSeed.first(db.pool, { network: seedNetwork(env()) });
  if (!sealed) throw new Error('This instance has no seed yet: run "npm run init".');
  let entropy: Buffer;
  try {
    entropy = openSeed(sealed, kek);
  } catch (cause) {
    throw new Error('The key-encryption key does not open the instance seed: the signer does not start.', { cause });
  }
  try {
    await publishWatchKeys(db.pool, entropy);
  } finally {
    entropy.fill(0);
  }
}
