import { type Balances, ChainError, type ScannedBlock, type Transfer } from '@/lib/chains/types';
import type { Sql } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';
import { lockCredits, selectExplained, selectMissingKeys } from './credit-repository';
import { recordTransfers, type ScannedRun } from './record-transfers';
import { replaceCredits } from './replace-credits';

/** What addresses that gain hold, by coin. */
export type FoundBalances = ReadonlyMap<Coin, Balances>;

export interface FoundRun extends Omit<ScannedRun, 'before' | 'after'> {
  /** How far the chain was read, and up to where deposits count. */
  height: bigint;
  confirmedHeight: bigint | null;
  /** Final balances of every address that gains. */
  balances: FoundBalances;
}

interface Mined {
  transfer: Transfer;
  block: Pick<ScannedBlock, 'height'>;
}

/**
 * Money that blocks below the cursor hold, in a transaction that holds the cursor: what was missed is stored, booked and
 * queued like any other. Where an operator credited it before, the records would now explain more than the address holds: so
 * much of its credits gives way, and no more. The same money never counts twice, and what a credit held beside it goes on
 * counting.
 * @returns how many deposits were missing
 * @throws ChainError as `recordTransfers`, and when an address holds less than was found on it
 */
export async function recordFound(sql: Sql, run: FoundRun): Promise<number> {
  const { chain, epoch, height, confirmedHeight, blocks } = run;
  const mined = blocks.flatMap(({ transfers, ...block }) => transfers.map((transfer) => ({ transfer, block })));
  const keys = mined.map(({ transfer }) => transfer.key);
  const missing = await selectMissingKeys(sql, chain, epoch, keys);
  const found = mined.filter(({ transfer }) => missing.has(transfer.key));
  // Whoever gives a deposit to a wallet locks it before the accounts: so do we, before anything is booked.
  const places = gaining(run, found);
  const ids = places.map(({ poolAddressId }) => poolAddressId);
  const credits = await lockCredits(sql, chain, epoch, ids);
  const read = { height, confirmedHeight };
  await recordTransfers(sql, { ...run, before: read, after: read });
  for (const { poolAddressId, coin, address } of places) {
    const surplusUnits = await overshoot(sql, run, { poolAddressId, coin, address });
    if (surplusUnits === 0n) continue;
    const of = credits.filter((credit) => credit.poolAddressId === poolAddressId && credit.coin === coin);
    const transfers = found.map(({ transfer }) => transfer).filter(({ to, coin: of }) => to === address && of === coin);
    const leftUnits = await replaceCredits(sql, run, { credits: of, surplusUnits, transfers });
    if (leftUnits > 0n) throw new ChainError('invalid_answer', `${address} holds less than was found on it`);
  }
  return found.length;
}

interface Gaining {
  poolAddressId: bigint;
  coin: Coin;
  address: string;
}

function gaining({ watched }: FoundRun, found: readonly Mined[]): Gaining[] {
  const places = new Map<string, Gaining>();
  for (const { transfer } of found) {
    const poolAddressId = watched.get(transfer.to);
    if (poolAddressId !== undefined)
      places.set(`${transfer.coin} ${transfer.to}`, { poolAddressId, coin: transfer.coin, address: transfer.to });
  }
  return [...places.values()];
}

/** By how much the records explain more than the address holds. */
async function overshoot(sql: Sql, { chain, epoch, balances }: FoundRun, place: Gaining): Promise<bigint> {
  const { coin, poolAddressId, address } = place;
  const told = balances.get(coin);
  const heldUnits = told?.units.get(address);
  if (!told || heldUnits === undefined)
    throw new ChainError('invalid_answer', `the node did not tell what ${address} holds`);
  const { explainedUnits } = await selectExplained(sql, { chain, coin, epoch, poolAddressId, height: told.height });
  return explainedUnits > heldUnits ? explainedUnits - heldUnits : 0n;
}
