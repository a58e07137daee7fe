import type { PoolAddress, PoolBurn, PoolHome, PoolRestore } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { PoolSource } from './pool-repository';

/** How a restore was found (pool_restore.reason). */
export type RestoreReason = 'location' | 'witness' | 'operator' | 'words';

export interface PoolState {
  /** The data lies elsewhere than it did, or a restore is under way: nothing is given away, no chain is read. */
  isPending: boolean;
  /** No key was published yet. */
  isNew: boolean;
  /** A dispatcher looked at the pool since the database's server started. */
  isConfirmed: boolean;
  /** A restore was found once. */
  wasRestored: boolean;
  /** Grows with every address that is given away; 0 before the first. */
  newestWalletId: number;
}

/** What tells a restored database from one that was never restored. */
export const selectPoolState = statement<Record<never, never>, PoolState>(
  'wallets.pool-state',
  `SELECT is_restore_pending() AS "isPending", h.location IS NULL AS "isNew",
     h.confirmed_start IS NOT DISTINCT FROM pg_postmaster_start_time() AS "isConfirmed", EXISTS (SELECT 1 FROM pool_restore) AS "wasRestored",
     coalesce((SELECT max(id) FROM wallet), 0) AS "newestWalletId"
   FROM pool_home h`,
  { prepared: true },
);

/** Notes where the data lies, if nobody did before. */
export const settlePool = statement<Record<never, never>>('wallets.settle-pool', 'SELECT settle_pool()');

/** Says that this is the pool that was known, as far as anybody outside of the database can tell. */
export const confirmPool = statement<Record<never, never>>('wallets.confirm-pool', 'SELECT confirm_pool()');

/** Begins a restore (what it burns: `begin_restore()` in the migrations). */
export const beginRestore = statement<{ reason: RestoreReason; atLeast: number }, { began: boolean }>(
  'wallets.begin-restore',
  'SELECT begin_restore($reason, $atLeast) AS began',
);

/** The restore that is under way. */
export const selectRestore = statement<Record<never, never>, Row<PoolRestore, 'id' | 'reason' | 'knownAt' | 'foundAt'>>(
  'wallets.restore-under-way',
  `SELECT r.id, r.reason, r.known_at AS "knownAt", r.found_at AS "foundAt"
   FROM pool_home h JOIN pool_restore r ON r.id = h.restore_id`,
);

/** A key's window, and the index up to which its addresses are in the pool. */
export type Burn = Row<PoolBurn, 'afterIndex' | 'throughIndex'> & Omit<PoolSource, 'free'> & { topIndex: number };

export const selectBurns = statement<{ restoreId: bigint }, Burn>(
  'wallets.burns',
  `SELECT b.after_index AS "afterIndex", b.through_index AS "throughIndex", k.id, k.family, k.purpose,
     k.public_key AS "publicKey", k.merchant_id AS "merchantId",
     coalesce((SELECT max(p.derivation_index) FROM pool_address p WHERE p.watch_key_id = k.id), -1) AS "topIndex"
   FROM pool_burn b JOIN watch_key k ON k.id = b.watch_key_id WHERE b.restore_id = $restoreId ORDER BY k.id`,
);

type BurnedPage = { watchKeyId: number; afterIndex: number; limit: number };

/** A page of the addresses that a window burned, by index. */
export const selectBurnedAddresses = statement<BurnedPage, Row<PoolAddress, 'address' | 'derivationIndex'>>(
  'wallets.burned-addresses',
  `SELECT address, derivation_index AS "derivationIndex" FROM pool_address
   WHERE watch_key_id = $watchKeyId AND derivation_index > $afterIndex ORDER BY derivation_index LIMIT $limit`,
);

/** Makes a window longer; never shorter. */
export const lengthenBurn = statement<{ restoreId: bigint; watchKeyId: number; throughIndex: number }>(
  'wallets.lengthen-burn',
  `UPDATE pool_burn SET through_index = greatest(through_index, $throughIndex)
   WHERE restore_id = $restoreId AND watch_key_id = $watchKeyId`,
);

/** Ends a restore whose windows are burned; false while something is left. */
export const finishRestore = statement<{ restoreId: Row<PoolHome, 'restoreId'>['restoreId'] }, { finished: boolean }>(
  'wallets.finish-restore',
  'SELECT finish_restore($restoreId::bigint) AS finished',
);
