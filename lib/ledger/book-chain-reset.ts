import type { Sql } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';
import type { LedgerEntry } from './entry';
import { postEntries } from './post-entries';
import { selectHoldings } from './repository';

/**
 * A devnet was replaced and took all money of its coin along: books every wallet's and nobody's money off, inside the
 * transaction of the reset.
 * @param epoch the epoch that begins
 */
export async function bookChainReset(sql: Sql, coin: Coin, epoch: number): Promise<void> {
  const holdings = await selectHoldings(sql, coin);
  const entries = holdings.map(
    ({ accountId, account, amountUnits }): LedgerEntry => ({
      key: `chain_reset:${epoch}:${accountId}`,
      kind: 'chain_reset',
      coin,
      postings: [
        { account, amountUnits: -amountUnits },
        { account: { kind: 'chain' }, amountUnits },
      ],
    }),
  );
  await postEntries(sql, entries);
}
