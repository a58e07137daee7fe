import { notify } from '@/lib/db/channels';
import type { Database } from '@/lib/db/database';
import type { Logger } from '@/lib/logging/logger';
import { BURNED_AT_LEAST } from '@/lib/shared/limits';
import { addGeneration, type FindUsed, GENERATION_SIZE } from './add-generation';
import {
  type Burn,
  beginRestore,
  confirmPool,
  finishRestore,
  lengthenBurn,
  type RestoreReason,
  selectBurnedAddresses,
  selectBurns,
  selectPoolState,
  selectRestore,
  settlePool,
} from './restore-repository';

/** A chain that goes on finding used addresses after so many further windows is not believed. */
const MOST_FURTHER_WINDOWS = 10;
const ASKED_AT_ONCE = 500;

export interface RecoveryTools {
  findUsed: FindUsed;
  logger: Logger;
  signal: AbortSignal;
}

/**
 * Makes the pool of a restored database safe. Its backup forgot which addresses were given away after it, so all that were free,
 * and a window of the next ones, are burned: watched, so that their money is found, and never given away. The window goes on
 * where the chain shows that an address in it was used. Until it is done nothing can be claimed and no chain is read, which the
 * database itself sees to; a process that dies in the middle leaves the rest to the next.
 * @returns whether this is a pool that may be filled now, and whether it ever was restored
 * @throws ChainError when a node cannot tell what was used: nothing is given away before it did
 */
export async function recoverPool(
  db: Database,
  tools: RecoveryTools,
): Promise<{ isWhole: boolean; wasRestored: boolean; newestWalletId: number }> {
  const state = await selectPoolState.one(db.pool, {});
  if (state.isNew) await settlePool.count(db.pool, {});
  if (!state.isPending) {
    if (!state.isConfirmed) await confirmPool.count(db.pool, {});
    return { ...state, isWhole: true };
  }
  await noteRestore(db, 'location', BURNED_AT_LEAST, tools.logger);
  const restore = await selectRestore.first(db.pool, {});
  if (!restore) return { ...state, isWhole: false };
  for (const { id } of await selectBurns.all(db.pool, { restoreId: restore.id }))
    await burnKey(db, restore.id, id, tools);
  if (tools.signal.aborted) return { ...state, isWhole: false };
  const { finished } = await finishRestore.one(db.pool, { restoreId: restore.id });
  if (finished) {
    tools.logger.warn(
      { restore: restore.id.toString() },
      'restore done: the pool is filled again above what was burned',
    );
    await notify(db, [{ channel: 'pool' }]);
  }
  return { ...state, isWhole: finished, wasRestored: true };
}

/**
 * Says that the database was restored. @param atLeast indexes that each key loses
 * @returns false when that is known and under way, or, of a `location`, not true
 */
export async function noteRestore(
  db: Database,
  reason: RestoreReason,
  atLeast: number,
  logger: Pick<Logger, 'warn'>,
): Promise<boolean> {
  const { began } = await beginRestore.one(db.pool, { reason, atLeast });
  const restore = began ? await selectRestore.first(db.pool, {}) : null;
  if (restore) {
    const burns = await selectBurns.all(db.pool, { restoreId: restore.id });
    logger.warn(
      {
        restore: restore.id.toString(),
        reason,
        knownAt: restore.knownAt,
        burns: burns.map(({ family, purpose, afterIndex, throughIndex }) => ({
          family,
          purpose,
          afterIndex,
          throughIndex,
        })),
      },
      'the database was restored: addresses that it may have forgotten are taken out of use',
    );
  }
  return began;
}

/** Burns a key's window, and goes on as long as the chain shows that somebody used the end of it. */
async function burnKey(db: Database, restoreId: bigint, watchKeyId: number, tools: RecoveryTools): Promise<void> {
  let window: number | undefined;
  for (let further = 0; !tools.signal.aborted; further += 1) {
    const burn = await burnWindow(db, restoreId, watchKeyId, tools.signal);
    if (!burn || tools.signal.aborted) return;
    window ??= burn.throughIndex - burn.afterIndex;
    const throughIndex = (await highestUsed(db, burn, tools)) + window;
    if (throughIndex <= burn.throughIndex) return;
    if (further === MOST_FURTHER_WINDOWS)
      throw new Error(
        `A node of the family ${burn.family} calls ever more unused addresses used: the pool stays closed.`,
      );
    await lengthenBurn.count(db.pool, { restoreId, watchKeyId, throughIndex });
  }
}

/** @returns the key's window when it is in the pool, or as much of it as a stop let happen */
async function burnWindow(
  db: Database,
  restoreId: bigint,
  watchKeyId: number,
  signal: AbortSignal,
): Promise<Burn | undefined> {
  for (;;) {
    const burns = await selectBurns.all(db.pool, { restoreId });
    const burn = burns.find(({ id }) => id === watchKeyId);
    const left = burn ? burn.throughIndex - burn.topIndex : 0;
    if (!burn || left <= 0 || signal.aborted) return burn;
    await addGeneration(db, burn, {
      count: Math.min(left, GENERATION_SIZE),
      burned: async (addresses) => addresses.map(() => true),
    });
  }
}

/** @returns the highest index of a window whose address the chain has seen; what is before all indexes when there is none */
async function highestUsed(db: Database, burn: Burn, { findUsed, signal }: RecoveryTools): Promise<number> {
  let highest = Number.NEGATIVE_INFINITY;
  for (let afterIndex = burn.afterIndex; !signal.aborted; ) {
    const page = await selectBurnedAddresses.all(db.pool, { watchKeyId: burn.id, afterIndex, limit: ASKED_AT_ONCE });
    const used = await findUsed(
      burn.family,
      page.map(({ address }) => address),
    );
    for (const { address, derivationIndex } of page) if (used.has(address)) highest = derivationIndex;
    afterIndex = page.at(-1)?.derivationIndex ?? afterIndex;
    if (page.length < ASKED_AT_ONCE) break;
  }
  return highest;
}
