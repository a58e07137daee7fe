import type { ChainReader } from '@/lib/chains/types';
import { configuredChain, enabledChains } from '@/lib/config/chains';
import { env } from '@/lib/config/env';
import type { Database } from '@/lib/db/database';
import { type AddressFamily, CHAIN_INFO } from '@/lib/shared/chains';
import { BURNED_AT_LEAST } from '@/lib/shared/limits';
import type { FindUsed } from '@/lib/wallets/add-generation';
import { PoolWitness } from '@/lib/wallets/pool-witness';
import { noteRestore, recoverPool } from '@/lib/wallets/recover-pool';
import { replenishPool } from '@/lib/wallets/replenish-pool';
import { selectPoolState } from '@/lib/wallets/restore-repository';
import { runLoop } from '@/workers/runtime/run-loop';
import type { Waker } from '@/workers/runtime/waker';
import type { WorkerContext } from '@/workers/runtime/worker-context';

const INTERVAL_MS = 1_000;

/** Keeps addresses ready, ahead of need; first of all, makes the pool of a restored database safe. */
export async function runPool(db: Database, { signal, logger }: WorkerContext, waker: Waker): Promise<void> {
  const { POOL_WITNESS_FILE, ADDRESS_POOL_TARGET } = env();
  const witness = POOL_WITNESS_FILE === undefined ? null : hearing(new PoolWitness(POOL_WITNESS_FILE), logger);
  const findUsed = await openFindUsed(signal);
  const task = async () => {
    await witness?.hear(db);
    const { isWhole, wasRestored, newestWalletId } = await recoverPool(db, { findUsed, logger, signal });
    if (!isWhole) return;
    await witness?.note(newestWalletId);
    await replenishPool(db, ADDRESS_POOL_TARGET, wasRestored ? findUsed : null);
  };
  await runLoop({ name: 'pool', intervalMs: INTERVAL_MS, signal, logger, waker, task });
}

/** A database that knows less than it did, or a data folder that is a copy: nothing in the database tells that. */
function hearing(witness: PoolWitness, logger: WorkerContext['logger']) {
  // What was heard is not heard again, also where the file cannot be written any more.
  let isHeard = false;
  return {
    async hear(db: Database): Promise<void> {
      const { newestWalletId, isNew } = await selectPoolState.one(db.pool, {});
      const testimony = isNew || isHeard ? null : await witness.testify(newestWalletId);
      if (testimony === null) return;
      await noteRestore(db, 'witness', BURNED_AT_LEAST + 2 * testimony.forgottenWallets, logger);
      isHeard = true;
    },
    async note(newestWalletId: number): Promise<void> {
      try {
        await witness.note(newestWalletId);
        isHeard = false;
      } catch (error) {
        logger.error(
          { err: error },
          'POOL_WITNESS_FILE cannot be written: a restored copy of the data would not be noticed',
        );
      }
    },
  };
}

/** Asks every configured chain of a family, since its chains share their addresses. */
async function openFindUsed(signal: AbortSignal): Promise<FindUsed> {
  const readers = new Map<AddressFamily, ChainReader[]>();
  for (const chain of enabledChains()) {
    const { family } = CHAIN_INFO[chain];
    readers.set(family, [...(readers.get(family) ?? []), await configuredChain(chain).openReader({ signal })]);
  }
  return async (family, addresses) => {
    const answers = (readers.get(family) ?? []).map((reader) => reader.usedAddresses(addresses));
    return new Set((await Promise.all(answers)).flat());
  };
}
