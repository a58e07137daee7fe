import { z } from 'zod';
import type { Sql } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';
import { Decimal } from './decimal';

/** The last agreed rate of a coin: EUR per whole coin, and when the venues said so. */
export interface StoredRate {
  rate: string;
  fetchedAt: Date;
}

const RowSchema = z.object({ rate: z.string(), fetched_at: z.date() });

/** The stored rate of a coin, of whatever age. */
export async function findRate(sql: Sql, coin: Coin): Promise<StoredRate | null> {
  const { rows } = await sql.query('SELECT rate, fetched_at FROM coin_rate WHERE coin = $1', [coin]);
  if (rows.length === 0) return null;
  const row = RowSchema.parse(rows[0]);
  return { rate: new Decimal(row.rate).toFixed(), fetchedAt: row.fetched_at };
}

/** Stores an agreed rate with its evidence, unless a later one is there already. */
export async function saveRate(sql: Sql, coin: Coin, { rate, fetchedAt }: StoredRate, sources: object): Promise<void> {
  await sql.query(
    `INSERT INTO coin_rate (coin, rate, sources, fetched_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (coin) DO UPDATE SET rate = excluded.rate, sources = excluded.sources, fetched_at = excluded.fetched_at
     WHERE coin_rate.fetched_at < excluded.fetched_at`,
    [coin, rate, JSON.stringify(sources), fetchedAt],
  );
}
