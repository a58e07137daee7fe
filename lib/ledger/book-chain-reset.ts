import type { Sql } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';
import { LedgerAccount, type LedgerEntry } from './entry';
import { postEntries } from './post-entries';
import { selectHoldings } from './repository';

/**
 * A devnet was replaced and took all money of its coin along: books every wallet's and nobody's money off, inside the
 * transaction of the reset.
 * @param epoch the epoch that begins
 */
export async function bookChainReset(sql: Sql, coin: Coin, epoch: number): Promise<void> {
  const holdings = await selectHoldings.all(sql, { coin });
  const entries = holdings.map(
    ({ id, kind, walletId, amountUnits }): LedgerEntry => ({
      key: `chain_reset:${epoch}:${id}`,
      kind: 'chain_reset',
      coin,
      postings: [
        { account: LedgerAccount.parse({ kind, walletId: walletId ?? undefined }), amountUnits: -amountUnits },
        { account: { kind: 'chain' }, amountUnits },
      ],
    }),
  );
  await postEntries(sql, entries);
}
