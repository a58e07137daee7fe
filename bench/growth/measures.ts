import type { ListInvoicesQuery } from '@/lib/api-schema/invoices';
import type { Lease } from '@/lib/chain-sync/lease';
import { WatchedAddresses } from '@/lib/chain-sync/watched-addresses';
import type { Database } from '@/lib/db/database';
import { selectUnattributed } from '@/lib/deposits/unattributed-repository';
import { selectQueued } from '@/lib/invoices/due-repository';
import { selectExpirable } from '@/lib/invoices/expiry-repository';
import { selectInvoicePage } from '@/lib/invoices/repository';
import { selectPoolSources } from '@/lib/wallets/pool-repository';
import { claimPrimaryWallet, selectPrimaryWallets } from '@/lib/wallets/repository';
import { claimDeliveries } from '@/lib/webhooks/process-delivery';
import type { LargeTables } from '@/testing/large-tables';
import { compareAll, type Measured, sampleOnce } from './reconciliation';

export interface Measure {
  name: string;
  /** `flat`, or the most milliseconds that it may take at full size. */
  limit: 'flat' | number;
  run(db: Database, filled: LargeTables): Promise<Measured>;
}

const RUNS = 9;
const LEASE: Lease = { chain: 'ethereum', owner: 'bench', token: 0n };

async function middleOf(work: () => Promise<unknown>, runs = RUNS): Promise<Measured> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return { ms: times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? 0, notes: [] };
}

const page = (query: Partial<ListInvoicesQuery>) => ({
  run: (db: Database, { merchantId }: LargeTables) => {
    const whole: ListInvoicesQuery = { page: 1, pageSize: 10, orderBy: 'id', orderType: 'DESC', ...query };
    return middleOf(() => selectInvoicePage(db.pool, merchantId, whole));
  },
});

const simple = (work: (db: Database, filled: LargeTables) => Promise<unknown>) => ({
  run: (db: Database, filled: LargeTables) => middleOf(() => work(db, filled)),
});

const heapMb = () => {
  globalThis.gc?.();
  const { heapUsed } = process.memoryUsage();
  return heapUsed / 2 ** 20;
};

/** A watcher's start: every address; then a generation of 250 that comes while it runs. */
async function loadAll(db: Database): Promise<Measured> {
  const before = heapMb();
  const addresses = new WatchedAddresses(db, LEASE);
  const measured = await middleOf(() => addresses.load(), 1);
  const memoryMb = Math.round(heapMb() - before);
  return { ...measured, memoryMb, notes: [`${addresses.ids.size} addresses in memory: ${memoryMb} MB`] };
}

async function loadNext(db: Database): Promise<Measured> {
  const addresses = new WatchedAddresses(db, LEASE);
  await addresses.load();
  let generation = addresses.generation;
  return middleOf(async () => {
    generation += 1n;
    await db.pool.query(
      `WITH g AS (UPDATE pool_generation SET generation = $1::bigint)
       INSERT INTO pool_address (watch_key_id, family, purpose, derivation_index, address, generation, claimed_at)
       SELECT k.id, 'EVM', 'invoice', 1000000 + $1::int * 250 + n, '0x' || md5($1::text || '/' || n) || '11111111', $1::bigint, now()
       FROM generate_series(0, 249) n, watch_key k WHERE k.purpose = 'invoice'`,
      [generation],
    );
    await addresses.load();
  });
}

/** Free addresses of invoices stand in for those of wallets of a merchant's own, of which each has one. */
async function claim(db: Database, { otherId }: LargeTables): Promise<Measured> {
  await db.pool.query(`UPDATE pool_address SET purpose = 'primary' WHERE claimed_at IS NULL AND id % 10 = 0`);
  const measured = await middleOf(async () => {
    await claimPrimaryWallet.one(db.pool, { userId: otherId, coin: 'ETH' });
    await db.pool.query(`UPDATE wallet SET type = 'invoice' WHERE user_id = $1`, [otherId]);
  });
  await db.pool.query('VACUUM ANALYZE pool_address');
  return measured;
}

async function queue(db: Database): Promise<Measured> {
  await db.pool.query(
    `INSERT INTO settlement_task (wallet_id, chain) SELECT wallet_id, 'ethereum' FROM invoice ORDER BY id DESC LIMIT 1000`,
  );
  return middleOf(() => selectQueued(db.pool, 'ethereum', { except: [], limit: 200 }));
}

/** What grows, in the order of a payment's way. `linear` limits hold for 100,000 invoices of one merchant on an idle core. */
export const MEASURES: readonly Measure[] = [
  { name: 'all addresses, at a watcher’s start', limit: 30_000, run: loadAll },
  { name: 'a further generation of addresses, with its insert', limit: 'flat', run: loadNext },
  { name: 'count of free addresses', limit: 'flat', ...simple((db) => selectPoolSources.all(db.pool, {})) },
  { name: 'claim of an address', limit: 'flat', run: claim },
  {
    name: 'expiry scan',
    limit: 'flat',
    ...simple((db) => selectExpirable(db.pool, { now: new Date(), limit: 200 })),
  },
  { name: 'settlement queue of 1,000', limit: 'flat', run: queue },
  {
    name: 'claim of webhook deliveries',
    limit: 'flat',
    ...simple((db) => claimDeliveries(db.pool, { limit: 64 })),
  },
  {
    name: 'unattributed money, a page',
    limit: 100,
    ...simple((db) => selectUnattributed(db.pool, { limit: 10, offset: 0 })),
  },
  { name: 'invoice list, newest', limit: 150, ...page({}) },
  { name: 'invoice list, one status', limit: 150, ...page({ status: 'pending' }) },
  { name: 'invoice list, by amount', limit: 400, ...page({ orderBy: 'amountEuro' }) },
  { name: 'invoice list, a search', limit: 1_500, ...page({ searchKeyword: 'ordine-777' }) },
  {
    name: 'wallets with their sums',
    limit: 400,
    ...simple((db, { merchantId }) => selectPrimaryWallets.all(db.pool, { userId: merchantId })),
  },
  { name: 'comparison, a sample of 5,000', limit: 5_000, run: sampleOnce },
  { name: 'comparison, every address', limit: 120_000, run: compareAll },
];
