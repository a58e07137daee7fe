import { ChainError, type ChainReader } from '@/lib/chains/types';
import type { Database } from '@/lib/db/database';
import type { ProvenBalance } from '@/lib/deposits/credit-difference';
import { COIN_INFO, type Coin } from '@/lib/shared/coins';
import { type Basis, isBlockRead, selectBasis } from './basis-repository';

export interface AskedBalance {
  coin: Coin;
  /** Canonical. */
  address: string;
  poolAddressId: bigint;
  /** The block in which the money came, as an operator says; null where nobody knows. */
  arrivedIn: bigint | null;
}

/**
 * Asks a node what an address holds in a final block that was read. The money that is there counts as arrived in that block;
 * in an earlier one only if the node proves that the balance rose in it.
 * @throws ChainError when the node cannot answer, or keeps no state of a block
 * @throws Error when nothing is final yet, or the block that was named is not
 */
export async function proveBalance(db: Database, reader: ChainReader, asked: AskedBalance): Promise<ProvenBalance> {
  const { coin, address, poolAddressId, arrivedIn } = asked;
  const basis = await selectBasis(db.pool, coin);
  if (!basis) throw new Error('Nothing is final on the chain yet.');
  if (arrivedIn !== null && (arrivedIn < 1n || arrivedIn > basis.height))
    throw new Error(`The block must be between 1 and ${basis.height}, the last that is final.`);
  const balanceUnits = await balanceAt(reader, asked, basis.height);
  const arrival = await blockThatWasRead(db, reader, basis, arrivedIn ?? basis.height);
  const riseUnits =
    arrivedIn === null
      ? null
      : (await balanceAt(reader, asked, arrivedIn)) - (await balanceAt(reader, asked, arrivedIn - 1n));
  // Last: had the node moved to another chain meanwhile, its answers would be of that one.
  await blockThatWasRead(db, reader, basis, basis.height);
  const { chain } = COIN_INFO[coin];
  const { epoch, height } = basis;
  return { chain, coin, epoch, address, poolAddressId, height, balanceUnits, arrival: { ...arrival, riseUnits } };
}

async function balanceAt(reader: ChainReader, { coin, address }: AskedBalance, height: bigint): Promise<bigint> {
  const balances = await reader.balances(coin, [address], height);
  const units = balances.units.get(address);
  if (balances.height !== height || units === undefined)
    throw new ChainError('invalid_answer', `The node does not tell what the address held in block ${height}.`);
  return units;
}

async function blockThatWasRead(db: Database, reader: ChainReader, { coin, epoch }: Basis, height: bigint) {
  const { hash, time } = await reader.block(height);
  if (!(await isBlockRead(db.pool, { coin, epoch, height, hash })))
    throw new ChainError('invalid_answer', `The node's block ${height} is not the one that was read.`);
  return { height, hash, time };
}
