import type { LedgerAccount as AccountModel, LedgerEntry, LedgerPosting } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { Coin } from '@/lib/shared/coins';

/** The accounts of postings, part by part. */
interface NamedAccounts {
  coins: Coin[];
  accountKinds: AccountModel['kind'][];
  walletIds: (number | null)[];
}

/** The postings of entries, part by part. */
interface NamedPostings extends NamedAccounts {
  keys: string[];
  entryKinds: string[];
  /** Base units. */
  amounts: bigint[];
}

/** Accounts that postings name exist from now on. */
export const insertAccounts = statement<NamedAccounts>(
  'ledger.insert-accounts',
  `INSERT INTO ledger_account (coin, kind, wallet_id)
   SELECT DISTINCT coin::coin, kind::account_kind, wallet_id
   FROM unnest($coins::text[], $accountKinds::text[], $walletIds::int[]) AS named (coin, kind, wallet_id)
   WHERE NOT EXISTS (SELECT 1 FROM ledger_account a
       WHERE a.wallet_id = named.wallet_id AND a.kind = named.kind::account_kind)
     AND NOT EXISTS (SELECT 1 FROM ledger_account a WHERE named.wallet_id IS NULL AND a.wallet_id IS NULL
       AND a.coin = named.coin::coin AND a.kind = named.kind::account_kind)
   ORDER BY 1, 2, 3
   ON CONFLICT DO NOTHING`,
  { prepared: true },
);

/** Books entries with their postings. Returns the keys that were new. */
export const insertEntries = statement<NamedPostings, Row<LedgerEntry, 'key'>>(
  'ledger.insert-entries',
  `WITH part AS (
     SELECT * FROM unnest($keys::text[], $entryKinds::text[], $coins::text[], $accountKinds::text[], $walletIds::int[],
         $amounts::numeric[]) AS p (key, entry_kind, coin, account_kind, wallet_id, amount_units)
   ), booked AS (
     INSERT INTO ledger_entry (key, kind, coin) SELECT DISTINCT key, entry_kind, coin::coin FROM part
     ON CONFLICT (key) DO NOTHING RETURNING id, key
   ), posted AS (
     INSERT INTO ledger_posting (entry_id, account_id, amount_units)
     SELECT b.id, coalesce(wa.id, ca.id), sum(p.amount_units) FROM part p JOIN booked b USING (key)
       LEFT JOIN ledger_account wa ON wa.wallet_id = p.wallet_id AND wa.kind = p.account_kind::account_kind
       LEFT JOIN ledger_account ca ON p.wallet_id IS NULL AND ca.wallet_id IS NULL
         AND ca.coin = p.coin::coin AND ca.kind = p.account_kind::account_kind
     GROUP BY 1, 2
   )
   SELECT key FROM booked`,
  { prepared: true },
);

/** Locks wallets' accounts in the order of their ids and tells their balances. */
export const lockAccounts = statement<{ walletIds: readonly number[] }, { walletId: number; balance: bigint }>(
  'ledger.lock-accounts',
  'SELECT wallet_id AS "walletId", balance FROM lock_balances($walletIds::int[])',
  {
    prepared: true,
  },
);

/** Every account of a coin, but the chain's own, whose postings do not sum to zero. */
export const selectHoldings = statement<
  { coin: Coin },
  Row<AccountModel, 'id' | 'kind' | 'walletId'> & Row<LedgerPosting, 'amountUnits'>
>(
  'ledger.select-holdings',
  `SELECT a.id, a.kind, a.wallet_id AS "walletId", sum(p.amount_units) AS "amountUnits"
   FROM ledger_account a JOIN ledger_posting p ON p.account_id = a.id
   WHERE a.coin = $coin::coin AND a.kind <> 'chain' GROUP BY a.id HAVING sum(p.amount_units) <> 0 ORDER BY a.id`,
);
