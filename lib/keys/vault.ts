import { randomBytes } from 'node:crypto';
import { openSealed, seal } from '@/lib/security/seal';
import type { SealedSeed } from './repository';

/** Version of the key-encryption key in use; rotation will raise it. */
export const KEK_VERSION = 1;

type Identity = Pick<SealedSeed, 'sealId' | 'network' | 'kekVersion'>;

const seedContext = ({ sealId, network }: Identity) => `v1|instance_seed|${sealId}|${network}`;
const keyContext = (identity: Identity) => `${seedContext(identity)}|data_key|kek:${identity.kekVersion}`;

/** Seals a seed under a fresh data key and wraps that key with the KEK (32 bytes each). */
export function sealSeed(seed: Uint8Array, kek: Uint8Array, identity: Identity): SealedSeed {
  const dataKey = randomBytes(32);
  try {
    return {
      ...identity,
      sealed: seal(seed, dataKey, seedContext(identity)),
      wrappedKey: seal(dataKey, kek, keyContext(identity)),
    };
  } finally {
    dataKey.fill(0);
  }
}

/**
 * Opens a sealed seed. The caller overwrites the result when done with it.
 * @throws Error when the KEK is not the one that wrapped it, or the row was altered or moved
 */
export function openSeed(row: SealedSeed, kek: Uint8Array): Buffer {
  const dataKey = openSealed(row.wrappedKey, kek, keyContext(row));
  try {
    return openSealed(row.sealed, dataKey, seedContext(row));
  } finally {
    dataKey.fill(0);
  }
}
