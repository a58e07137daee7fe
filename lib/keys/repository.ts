import type { InstanceSeed, User, WatchKey } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';

/** A seed as it lies in the database: sealed by a data key, which the key-encryption key wraps. */
export type SealedSeed = Row<InstanceSeed, 'sealId' | 'network' | 'kekVersion' | 'sealed' | 'wrappedKey'>;

/** The sealed seed of a network; none before `npm run init`. */
export const findSeed = statement<{ network: string }, SealedSeed>(
  'keys.find-seed',
  `SELECT seal_id AS "sealId", network, kek_version AS "kekVersion", sealed, wrapped_key AS "wrappedKey"
   FROM instance_seed WHERE network = $network`,
);

/** Stores a seed. Where the network already has one, that stays untouched. */
export const insertSeed = statement<SealedSeed>(
  'keys.insert-seed',
  `INSERT INTO instance_seed (network, seal_id, sealed, wrapped_key, kek_version)
   VALUES ($network, $sealId, $sealed, $wrappedKey, $kekVersion) ON CONFLICT (network) DO NOTHING`,
);

/** A public key from which addresses are derived. */
export type NewWatchKey = Pick<WatchKey, 'family' | 'purpose' | 'merchantId' | 'path' | 'publicKey'>;

/** Publishes a key. Where there is one for the purpose already, that stays untouched. */
export const insertWatchKey = statement<NewWatchKey>(
  'keys.insert-watch-key',
  `INSERT INTO watch_key (family, purpose, merchant_id, path, public_key)
   VALUES ($family::address_family, $purpose::address_purpose, $merchantId, $path, $publicKey) ON CONFLICT DO NOTHING`,
);

/** The key that is published for a purpose, for all or for one merchant. */
export const findWatchKey = statement<Pick<WatchKey, 'family' | 'purpose' | 'merchantId'>, Row<WatchKey, 'publicKey'>>(
  'keys.find-watch-key',
  `SELECT public_key AS "publicKey" FROM watch_key
   WHERE family = $family::address_family AND purpose = $purpose::address_purpose
     AND merchant_id IS NOT DISTINCT FROM $merchantId::int`,
);

/** Every merchant, for chains on which each has a key of its own. */
export const selectMerchants = statement<Record<never, never>, Row<User, 'id'>>(
  'keys.select-merchants',
  'SELECT id FROM user_account ORDER BY id',
);

/** Begins a restore of the address pool: the seed is older than the database. */
export const noteWords = statement<{ atLeast: number }>('keys.note-words', `SELECT begin_restore('words', $atLeast)`);
