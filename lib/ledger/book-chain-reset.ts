import type { Sql } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';
import { type LedgerEntry, PLACES, toAccount } from './entry';
import { postEntries } from './post-entries';
import { selectHoldings } from './repository';

/**
 * A devnet was replaced and took all money of its coin along: what every owner had becomes nobody's, and what lay at every
 * place was nobody's and is gone, so that every account ends at zero. Two statements, inside the transaction of the reset.
 * @param epoch the epoch that begins
 */
export async function bookChainReset(sql: Sql, coin: Coin, epoch: number): Promise<void> {
  const holdings = await selectHoldings.all(sql, { coin });
  const entries = holdings
    .filter(({ kind }) => kind !== 'unattributed')
    .map(
      ({ id, amountUnits, ...row }): LedgerEntry => ({
        kind: 'chain_reset',
        coin,
        fact: 'account',
        factId: id,
        booking: epoch,
        epoch: epoch - 1,
        block: null,
        postings: [
          { account: toAccount(row), amountUnits: -amountUnits },
          {
            account: { kind: 'unattributed' },
            amountUnits: PLACES.includes(row.kind) ? -amountUnits : amountUnits,
          },
        ],
      }),
    );
  await postEntries(sql, entries);
}
