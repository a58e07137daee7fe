import type { Sql } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';
import { LedgerAccount } from './entry';

/** One posting with the entry and the account that it belongs to. */
export interface PostingRow {
  key: string;
  entryKind: string;
  coin: Coin;
  accountKind: string;
  walletId: number | null;
  amountUnits: bigint;
}

/** Accounts that postings name exist from now on. */
export async function insertAccounts(sql: Sql, rows: readonly PostingRow[]): Promise<void> {
  await sql.query({
    name: 'ledger-accounts',
    text: `INSERT INTO ledger_account (coin, kind, wallet_id)
      SELECT DISTINCT coin::coin, kind::account_kind, wallet_id
      FROM unnest($1::text[], $2::text[], $3::int[]) AS named (coin, kind, wallet_id)
      WHERE NOT EXISTS (SELECT 1 FROM ledger_account a
          WHERE a.wallet_id = named.wallet_id AND a.kind = named.kind::account_kind)
        AND NOT EXISTS (SELECT 1 FROM ledger_account a WHERE named.wallet_id IS NULL AND a.wallet_id IS NULL
          AND a.coin = named.coin::coin AND a.kind = named.kind::account_kind)
      ORDER BY 1, 2, 3
      ON CONFLICT DO NOTHING`,
    values: [rows.map((row) => row.coin), rows.map((row) => row.accountKind), rows.map((row) => row.walletId)],
  });
}

/** Books entries with their postings. @returns the keys that were new */
export async function insertEntries(sql: Sql, rows: readonly PostingRow[]): Promise<string[]> {
  const { rows: booked } = await sql.query<{ key: string }>({
    name: 'ledger-entries',
    text: `WITH part AS (
        SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::numeric[])
          AS p (key, entry_kind, coin, account_kind, wallet_id, amount_units)
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
    values: [
      rows.map((row) => row.key),
      rows.map((row) => row.entryKind),
      rows.map((row) => row.coin),
      rows.map((row) => row.accountKind),
      rows.map((row) => row.walletId),
      rows.map((row) => row.amountUnits.toString()),
    ],
  });
  return booked.map((row) => row.key);
}

/** An account that holds something, with what it holds. */
export interface Holding {
  accountId: string;
  account: LedgerAccount;
  amountUnits: bigint;
}

/** Every account of a coin, but the chain's own, whose postings do not sum to zero. */
export async function selectHoldings(sql: Sql, coin: Coin): Promise<Holding[]> {
  const { rows } = await sql.query<{ id: string; kind: string; walletId: number | null; units: string }>(
    `SELECT a.id, a.kind, a.wallet_id AS "walletId", sum(p.amount_units) AS units
     FROM ledger_account a JOIN ledger_posting p ON p.account_id = a.id
     WHERE a.coin = $1::coin AND a.kind <> 'chain' GROUP BY a.id HAVING sum(p.amount_units) <> 0 ORDER BY a.id`,
    [coin],
  );
  return rows.map(({ id, kind, walletId, units }) => ({
    accountId: id,
    account: LedgerAccount.parse(walletId === null ? { kind } : { kind, walletId }),
    amountUnits: BigInt(units),
  }));
}
