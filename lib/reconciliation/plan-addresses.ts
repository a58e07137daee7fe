import type { Sql } from '@/lib/db/database';
import { addSeconds } from '@/lib/shared/time';
import { selectAddressIds, selectHotAddressIds, selectMovedAddressIds } from './balance-repository';
import type { Basis } from './basis-repository';
import type { Rotation } from './run-repository';

/** Five requests where Multicall3 is. */
const CHUNK_SIZE = 2_500;
/** An address stays hot for so long after its invoice expired. */
const HOT_SECONDS = 7 * 24 * 3600;

/** Every address of the coin's family, in chunks. */
export async function* allAddresses(sql: Sql, { coin }: Basis): AsyncGenerator<bigint[]> {
  for (let afterId = 0n, isMore = true; isMore; ) {
    const ids = await selectAddressIds(sql, coin, afterId, CHUNK_SIZE);
    afterId = ids.at(-1) ?? afterId;
    isMore = ids.length === CHUNK_SIZE;
    if (ids.length > 0) yield ids;
  }
}

export interface AddressSample {
  chunks: bigint[][];
  /** Where the next sample begins, once this one is compared. */
  next: Omit<Rotation, 'suspectIds'>;
}

/**
 * At most `budget` addresses: those that did not agree before, those that moved since the last comparison, and then, half
 * and half, the next ones of the addresses in use and the next ones of all. Money that came through a contract moves an
 * address without a record: the rotations find it.
 */
export async function sampleAddresses(
  sql: Sql,
  basis: Basis,
  rotation: Rotation,
  { budget, now }: { budget: number; now: Date },
): Promise<AddressSample> {
  const chosen = new Set(rotation.suspectIds.slice(0, Math.ceil(budget / 4)));
  const since = rotation.epoch === basis.epoch ? rotation.height : -1n;
  const add = (ids: bigint[]) => {
    for (const id of ids) chosen.add(id);
  };
  add(await selectMovedAddressIds(sql, basis, since, Math.ceil(budget / 4)));
  const half = Math.max(0, Math.floor((budget - chosen.size) / 2));
  const closedSince = addSeconds(now, -HOT_SECONDS);
  const hot = await selectHotAddressIds(sql, basis.coin, { closedSince, afterId: rotation.hotAfterId, limit: half });
  add(hot);
  const rest = Math.max(0, budget - chosen.size);
  const cold = await selectAddressIds(sql, basis.coin, rotation.coldAfterId, rest);
  add(cold);
  return {
    chunks: inChunks([...chosen]),
    next: {
      height: basis.height,
      epoch: basis.epoch,
      hotAfterId: nextAfter(hot, half, rotation.hotAfterId),
      coldAfterId: nextAfter(cold, rest, rotation.coldAfterId),
    },
  };
}

/** A page that is not full was the last one: the rotation begins anew. */
function nextAfter(page: bigint[], limit: number, before: bigint): bigint {
  if (limit === 0) return before;
  return page.length < limit ? 0n : (page.at(-1) ?? 0n);
}

function inChunks(ids: bigint[]): bigint[][] {
  const chunks: bigint[][] = [];
  for (let start = 0; start < ids.length; start += CHUNK_SIZE) chunks.push(ids.slice(start, start + CHUNK_SIZE));
  return chunks;
}
