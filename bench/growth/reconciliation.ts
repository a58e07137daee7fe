import type { ChainReader } from '@/lib/chains/types';
import type { Database } from '@/lib/db/database';
import type { Basis } from '@/lib/reconciliation/basis-repository';
import { compareBalances } from '@/lib/reconciliation/compare-balances';
import { allAddresses, sampleAddresses } from '@/lib/reconciliation/plan-addresses';

export interface Measured {
  /** Milliseconds: the middle of several runs, or of one where it is long. */
  ms: number;
  memoryMb?: number;
  notes: string[];
}

const HEIGHT = 900_000n;
const BASIS: Basis = {
  coin: 'ETH',
  epoch: 0,
  height: HEIGHT,
  hash: '0xhead',
  chain: { height: 1_000_000n, confirmedHeight: HEIGHT, time: new Date(), epoch: 0 },
};
const FIRST_ROUND = { height: HEIGHT - 100n, epoch: 0, hotAfterId: 0n, coldAfterId: 0n, suspectIds: [] };

/** A node on whose chain lies what the records say. */
async function agreeingReader(db: Database): Promise<Pick<ChainReader, 'block' | 'balances'>> {
  const { rows } = await db.pool.query<{ address: string; units: bigint }>(
    'SELECT p.address, sum(d.amount_units) AS units FROM deposit d JOIN pool_address p ON p.id = d.pool_address_id GROUP BY 1',
  );
  const held = new Map(rows.map(({ address, units }) => [address, units]));
  const time = new Date();
  return {
    block: async (height) => ({ height, hash: '0xhead', parentHash: '0xparent', time, chainTime: time }),
    balances: async (_, addresses, height) => ({
      height,
      units: new Map(addresses.map((address) => [address, held.get(address) ?? 0n])),
    }),
  };
}

async function timed(
  db: Database,
  chunksOf: () => Promise<Iterable<bigint[]>> | AsyncIterable<bigint[]>,
): Promise<Measured> {
  const reader = (await agreeingReader(db)) as ChainReader;
  const before = process.memoryUsage().rss;
  const begun = performance.now();
  const { addressCount, findings } = await compareBalances(db.pool, reader, BASIS, await chunksOf());
  const ms = performance.now() - begun;
  if (findings.count > 0) throw new Error(`Differences: ${JSON.stringify(findings.listed.slice(0, 3))}`);
  const memoryMb = Math.max(0, Math.round((process.memoryUsage().rss - before) / 2 ** 20));
  return { ms, memoryMb, notes: [`${addressCount} addresses, ${memoryMb} MB more in memory`] };
}

/** What the dispatcher does every five minutes. */
export const sampleOnce = (db: Database): Promise<Measured> =>
  timed(db, async () => {
    const { chunks } = await sampleAddresses(db.pool, BASIS, FIRST_ROUND, { budget: 5_000, now: new Date() });
    return chunks;
  });

/** The addresses' part of `npm run reconcile`. */
export const compareAll = (db: Database): Promise<Measured> => timed(db, () => allAddresses(db.pool, BASIS));
