import { type ChainAdapter, ChainError } from '@/lib/chains/types';
import type { Sql } from '@/lib/db/database';
import { Findings, MOST_LISTED } from '@/lib/ledger/findings';
import { describeOwner, type ExpectedBalance, selectExpectedBalances } from './balance-repository';
import { type Basis, isBasisValid } from './basis-repository';
import type { InFlightSummary } from './progress-repository';

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
  suspectIds: string[];
}

/**
 * Compares what addresses hold on the chain with what the records say, at the basis's height, a chunk at a time.
 * @param chunks ids of pool addresses
 * @throws ChainError when the node cannot answer
 * @throws BasisMovedError when node and records are not on the same chain up to that height
 */
export async function compareBalances(
  sql: Sql,
  adapter: ChainAdapter,
  basis: Basis,
  chunks: AsyncIterable<string[]> | Iterable<string[]>,
): Promise<BalanceComparison> {
  const result: BalanceComparison = {
    findings: new Findings(),
    addressCount: 0,
    onChainUnits: 0n,
    explainedUnits: 0n,
    writtenOff: { listed: [], count: 0, units: 0n },
    suspectIds: [],
  };
  const { hash } = await adapter.block(basis.height);
  for await (const ids of chunks) {
    const expected = await selectExpectedBalances(sql, basis, ids);
    const actual = await adapter.balances(
      expected.map(({ address }) => address),
      basis.height,
    );
    for (const record of expected) await compareOne(sql, basis, record, balanceOf(actual, record), result);
  }
  const isSameBlock = (await adapter.block(basis.height)).hash === hash && (basis.hash ?? hash) === hash;
  if (!isSameBlock || !(await isBasisValid(sql, basis))) throw new BasisMovedError(basis);
  return result;
}

function balanceOf(balances: Map<string, bigint>, { address }: ExpectedBalance): bigint {
  const units = balances.get(address);
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
  const { address, expectedUnits, writtenOffUnits, poolAddressId } = record;
  const extra = actualUnits - expectedUnits;
  result.addressCount += 1;
  result.onChainUnits += actualUnits;
  result.explainedUnits += extra > 0n ? expectedUnits : actualUnits;
  if (extra === 0n) return;
  if (extra > 0n && extra <= writtenOffUnits) {
    noteWrittenOff(result, address, extra);
    return;
  }
  if (result.suspectIds.length < MOST_SUSPECTS) result.suspectIds.push(poolAddressId);
  const isListed = result.findings.listed.length < MOST_LISTED;
  result.findings.add({
    kind: 'address',
    subject: `address ${address}${isListed ? ` ${await describeOwner(sql, basis.coin, poolAddressId)}` : ''}`,
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
