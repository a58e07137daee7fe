import type { CoinRate } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { Coin } from '@/lib/shared/coins';

/** The last agreed rate of a coin: EUR per whole coin as a decimal text, and when the venues said so. */
export type StoredRate = Row<CoinRate, 'fetchedAt'> & { rate: string };

/** The stored rate of a coin, of whatever age, without zeros at its end. */
export const findRate = statement<{ coin: Coin }, StoredRate>(
  'rates.find',
  'SELECT trim_scale(rate)::text AS rate, fetched_at AS "fetchedAt" FROM coin_rate WHERE coin = $coin',
  { prepared: true },
);

/** Stores an agreed rate with its evidence (JSON), unless a later one is there already. */
export const saveRate = statement<StoredRate & { coin: Coin; sources: string }>(
  'rates.save',
  `INSERT INTO coin_rate (coin, rate, sources, fetched_at) VALUES ($coin, $rate, $sources, $fetchedAt)
   ON CONFLICT (coin) DO UPDATE SET rate = excluded.rate, sources = excluded.sources, fetched_at = excluded.fetched_at
   WHERE coin_rate.fetched_at < excluded.fetched_at`,
);
