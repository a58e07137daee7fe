import { type Balances, ChainError, type ChainReader } from '@/lib/chains/types';
import type { Sql } from '@/lib/db/database';
import { Findings, MOST_LISTED } from '@/lib/ledger/findings';
import { describeOwner, type ExpectedBalance, selectAddresses, selectExpectedBalances } from './balance-repository';
import { type Basis, isBlockRead } from './basis-repository';
import type { InFlightSummary } from './progress-repository';
import type { Surplus } from './surplus-repository';

/** So many addresses that do not agree are compared again the next time. */
const MOST_SUSPECTS = 1_000;

/** The chain was another one than the one that was read, or changed while it was compared: nothing was learnt. */
export class BasisMovedError extends Error {
  constructor({ coin, height }: Basis) {
    super(`The node's block ${height} of ${coin} is not the one that was read.`);
    this.name = 'BasisMovedError';
  }
}

export interface BalanceComparison {
  findings: Findings;
  addressCount: number;
  onChainUnits: bigint;
  explainedUnits: bigint;
  /** Money of a replaced local chain that is still there. */
  writtenOff: InFlightSummary;
  /** Pool addresses that do not agree. */
  suspectIds: bigint[];
  /** Of those the ones that hold more than is explained. */
  surpluses: Surplus[];
}

/**
 * Compares what addresses hold on the chain with what the ledger says lies on them, whoever owns it, at the basis's height, a
 * chunk at a time.
 * @param chunks ids of pool addresses
 * @throws ChainError when the node cannot answer
 * @throws BasisMovedError when node and records are not on the same chain up to that height
 */
export async function compareBalances(
  sql: Sql,
  reader: ChainReader,
  basis: Basis,
  chunks: AsyncIterable<bigint[]> | Iterable<bigint[]>,
): Promise<BalanceComparison> {
  const result: BalanceComparison = {
    findings: new Findings(),
    addressCount: 0,
    onChainUnits: 0n,
    explainedUnits: 0n,
    writtenOff: { listed: [], count: 0, units: 0n },
    suspectIds: [],
    surpluses: [],
  };
  // The blocks whose states were compared, by height, with their hashes as the node has them.
  const compared = new Map([[basis.height, (await reader.block(basis.height)).hash]]);
  for await (const ids of chunks) {
    const actual = await reader.balances(basis.coin, await selectAddresses(sql, ids), basis.height);
    if (actual.height < basis.height)
      throw new ChainError('invalid_answer', `balances of block ${actual.height} instead of ${basis.height}`);
    if (!compared.has(actual.height))
      compared.set(actual.height, await blockThatWasRead(sql, reader, basis, actual.height));
    const expected = await selectExpectedBalances(sql, basis, actual.height, ids);
    for (const record of expected) await compareOne(sql, basis, record, balanceOf(actual, record), result);
  }
  for (const [height, hash] of compared)
    if ((await blockThatWasRead(sql, reader, basis, height)) !== hash) throw new BasisMovedError(basis);
  return result;
}

/**
 * A node that keeps no older state answers for a later block. The records are compared up to that one, so that the watcher
 * must have read it before they are: the same block, and with it all that is below.
 * @returns its hash
 * @throws BasisMovedError when it was not read, or is another one
 */
async function blockThatWasRead(sql: Sql, reader: ChainReader, basis: Basis, height: bigint): Promise<string> {
  const { hash } = await reader.block(height);
  const isSame = height !== basis.height || basis.hash === null || basis.hash === hash;
  if (!isSame || !(await isBlockRead(sql, { ...basis, height, hash }))) throw new BasisMovedError(basis);
  return hash;
}

function balanceOf(balances: Balances, { address }: ExpectedBalance): bigint {
  const units = balances.units.get(address);
  if (units === undefined) throw new ChainError('invalid_answer', `no balance of ${address}`);
  return units;
}

async function compareOne(
  sql: Sql,
  basis: Basis,
  record: ExpectedBalance,
  actualUnits: bigint,
  result: BalanceComparison,
): Promise<void> {
  const { address, expectedUnits, writtenOffUnits, id } = record;
  const extra = actualUnits - expectedUnits;
  result.addressCount += 1;
  result.onChainUnits += actualUnits;
  result.explainedUnits += extra > 0n ? expectedUnits : actualUnits;
  if (extra === 0n) return;
  if (extra > 0n && extra <= writtenOffUnits) {
    noteWrittenOff(result, address, extra);
    return;
  }
  if (result.suspectIds.length < MOST_SUSPECTS) {
    result.suspectIds.push(id);
    if (extra > 0n) result.surpluses.push({ poolAddressId: id, units: extra });
  }
  const isListed = result.findings.listed.length < MOST_LISTED;
  result.findings.add({
    kind: 'address',
    subject: `address ${address}${isListed ? ` ${await describeOwner(sql, basis.coin, id)}` : ''}`,
    expected: expectedUnits.toString(),
    actual: actualUnits.toString(),
    units: extra < 0n ? -extra : extra,
  });
}

function noteWrittenOff(result: BalanceComparison, address: string, amountUnits: bigint): void {
  const { writtenOff } = result;
  result.explainedUnits += amountUnits;
  writtenOff.count += 1;
  writtenOff.units += amountUnits;
  if (writtenOff.listed.length < MOST_LISTED)
    writtenOff.listed.push({ state: 'written_off', address, txHash: null, amountUnits });
}
