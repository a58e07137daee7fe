import { type Balances, ChainError, type ChainReader, type ScannedBlock } from '@/lib/chains/types';
import type { Sql } from '@/lib/db/database';
import { selectMissingKeys } from '@/lib/deposits/credit-repository';
import type { FoundBalances } from '@/lib/deposits/record-found';
import type { Coin } from '@/lib/shared/coins';
import type { Cursor } from './cursor';

/**
 * Asks what the addresses hold that some old blocks bring missed money to, in the newest block that is final: of a block that
 * is not kept any more nothing else tells whether the node made it up.
 * @throws ChainError when the node cannot answer
 */
export async function askFoundBalances(
  sql: Sql,
  reader: ChainReader,
  { chain, epoch, height, confirmedHeight, finalizedHeight }: Cursor & { height: bigint },
  blocks: readonly ScannedBlock[],
): Promise<FoundBalances> {
  const transfers = blocks.flatMap((block) => block.transfers);
  const keys = transfers.map(({ key }) => key);
  const missing = await selectMissingKeys(sql, chain, epoch, keys);
  const found = transfers.filter(({ key }) => missing.has(key));
  const balances = new Map<Coin, Balances>();
  for (const coin of new Set(found.map((transfer) => transfer.coin))) {
    const addresses = [...new Set(found.filter((transfer) => transfer.coin === coin).map(({ to }) => to))];
    const told = await reader.balances(coin, addresses, finalizedHeight ?? confirmedHeight ?? height);
    if (addresses.some((address) => !told.units.has(address)))
      throw new ChainError('invalid_answer', `the node does not tell what every address held in block ${told.height}`);
    balances.set(coin, told);
  }
  return balances;
}
