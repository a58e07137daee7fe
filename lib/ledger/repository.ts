import type { LedgerAccount, LedgerEntry, LedgerPosting } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { Coin } from '@/lib/shared/coins';

/** Entries side by side, and their parts, which name their entry by its place: 1, 2, … */
interface Entries {
  kinds: Row<LedgerEntry, 'kind'>['kind'][];
  coins: Coin[];
  facts: Row<LedgerEntry, 'fact'>['fact'][];
  factIds: bigint[];
  bookings: number[];
  epochs: number[];
  heights: (bigint | null)[];
  times: (Date | null)[];
  links: (bigint | null)[];
  partEntries: number[];
  partKinds: Row<LedgerAccount, 'kind'>['kind'][];
  partWallets: (number | null)[];
  partAddresses: (bigint | null)[];
  /** Base units. */
  partUnits: bigint[];
}

/** Books entries with their postings, through the one database function that may. Returns those that were new. */
export const callPostEntries = statement<Entries, { place: number; id: bigint }>(
  'ledger.post-entries',
  `SELECT place, entry_id AS id FROM post_entries($kinds::entry_kind[], $coins::coin[], $facts::entry_fact[], $factIds::bigint[],
     $bookings::int[], $epochs::int[], $heights::bigint[], $times::timestamptz[], $links::bigint[], $partEntries::int[],
     $partKinds::account_kind[], $partWallets::int[], $partAddresses::bigint[], $partUnits::numeric[])`,
  { prepared: true },
);

/** Every account of a coin whose postings do not sum to zero. */
export const selectHoldings = statement<
  { coin: Coin },
  Row<LedgerAccount, 'id' | 'kind' | 'walletId' | 'poolAddressId'> & Row<LedgerPosting, 'amountUnits'>
>(
  'ledger.select-holdings',
  `SELECT a.id, a.kind, a.wallet_id AS "walletId", a.pool_address_id AS "poolAddressId", sum(p.amount_units) AS "amountUnits"
   FROM ledger_account a JOIN ledger_posting p ON p.account_id = a.id
   WHERE a.coin = $coin::coin GROUP BY a.id HAVING sum(p.amount_units) <> 0 ORDER BY a.id`,
);
