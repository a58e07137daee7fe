import type { Database } from '@/lib/db/database';
import { openSealed } from '@/lib/security/seal';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { findOwnedKey, type OwnedKey } from './owned-key-repository';
import { readSealedKey } from './repository';
import { sealContext } from './seal-context';

export interface RevealApiKeyOptions extends OwnedKey {
  /** `APP_SEAL_KEY`, 32 bytes. */
  sealKey: Uint8Array;
  clock: Clock;
}

/**
 * The whole key, for its owner. Each reveal is written down with who and when. The webhook secret is never revealed.
 * @throws {AppError} `not_found`, also when it is another user's
 */
export async function revealApiKey(
  db: Database,
  { userId, id, sealKey, clock }: RevealApiKeyOptions,
): Promise<{ key: string }> {
  const owned = await findOwnedKey(db, { userId, id });
  const sealed = owned && (await readSealedKey.first(db.pool, { id: owned.id, userId, now: clock() }));
  if (!sealed) throw new AppError('not_found');
  return { key: openSealed(sealed.keySealed, sealKey, sealContext('key', sealed.uuid)).toString('utf8') };
}
