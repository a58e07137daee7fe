import type { ChainReader } from '@/lib/chains/types';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { bookConfirmedDeposits } from '@/lib/deposits/bookings';
import { reconcile } from '@/lib/reconciliation/reconcile';
import { systemClock } from '@/lib/shared/time';
import { makeCursor, makeUser } from '@/testing/factories';
import { startBenchDatabase } from './bench-database';
import type { Scenario } from './scenario';

const INVOICES = 100_000;
const UNITS = 10_000_000_000_000_000n;
const HEIGHT = 100n;
const TARGET_SECONDS = 60;

/** Reconciliation of 100,000 paid invoices: every address, every entry, every status, on an in-process chain. */
export const reconcileScale: Scenario = {
  name: 'reconcile-scale',
  async run(tell) {
    const database = await startBenchDatabase();
    const owner = openDatabase(database.ownerUrl, { max: 2, applicationName: 'bench' });
    const dispatcher = openDatabase(database.roleUrl('dispatcher'), { max: 4, applicationName: 'bench-dispatcher' });
    try {
      await preparePaidInvoices(owner);
      tell(`${INVOICES} invoices are ready`);
      const begun = performance.now();
      const options = {
        clock: systemClock,
        signal: new AbortController().signal,
        closedDays: null,
        withUnpriced: true,
      };
      const report = await reconcile(dispatcher, 'ETH', memoryChain(), { ...options, addresses: 'all' });
      const seconds = Number(((performance.now() - begun) / 1000).toFixed(1));
      if (report.differences.length > 0)
        throw new Error(`Differences: ${JSON.stringify(report.differences.slice(0, 3))}`);
      return [
        {
          name: 'reconcile-scale',
          figure: seconds,
          unit: 's',
          bound: null,
          ratio: Number((seconds / TARGET_SECONDS).toFixed(2)),
          target: `< ${TARGET_SECONDS} s for ${INVOICES} invoices`,
          met: seconds < TARGET_SECONDS,
          memoryMb: Math.round(process.memoryUsage().rss / 2 ** 20),
        },
      ];
    } finally {
      await Promise.all([closeDatabase(owner), closeDatabase(dispatcher)]);
      await database.stop();
    }
  },
};

/** A chain on which each address holds one payment. */
function memoryChain(): ChainReader {
  const head = { height: HEIGHT, hash: '0xhead', time: new Date(), finalizedHeight: HEIGHT };
  return {
    chain: 'ethereum',
    genesisHash: async () => '0xgenesis',
    head: async () => head,
    block: async () => ({
      height: HEIGHT,
      hash: '0xhead',
      parentHash: '0xparent',
      time: new Date(),
      chainTime: new Date(),
    }),
    scan: async () => [],
    mempool: async () => [],
    balances: async (_coin, addresses, height) => ({
      height,
      units: new Map(addresses.map((address) => [address, UNITS])),
    }),
    usedAddresses: async (addresses) => [...addresses],
  };
}

async function preparePaidInvoices(owner: Database): Promise<void> {
  const { id } = await makeUser(owner.pool);
  await makeCursor(owner.pool, { height: HEIGHT });
  await owner.pool.query(
    `INSERT INTO chain_block (chain, height, hash, parent_hash, chain_time) VALUES ('ethereum', $1, '0xhead', '0xparent', now())`,
    [HEIGHT],
  );
  await transaction(owner, async (sql) => {
    await sql.query('SET LOCAL statement_timeout = 0');
    await sql.query(PAID_INVOICES, [id, INVOICES, UNITS.toString()]);
  });
  await owner.pool.query('ANALYZE');
  // Block by block, as a watcher books; the planner learns on the way, as it does in years of use.
  for (let height = 1n; height <= HEIGHT; height++) {
    await transaction(owner, (sql) =>
      bookConfirmedDeposits(sql, { chain: 'ethereum', epoch: 0, height, confirmedHeight: height }, new Date()),
    );
    if (height === 1n || height === 10n || height === HEIGHT) await owner.pool.query('ANALYZE');
  }
}

const PAID_INVOICES = `
  WITH k AS (INSERT INTO watch_key (family, purpose, path, public_key) VALUES ('EVM', 'invoice', 'bench', 'bench') RETURNING id),
    a AS (INSERT INTO pool_address (watch_key_id, family, purpose, derivation_index, address, generation, claimed_at)
      SELECT k.id, 'EVM', 'invoice', n, '0x' || lpad(to_hex(n), 40, '0'), 1, now() FROM k, generate_series(1, $2::int) n
      RETURNING id, address),
    w AS (INSERT INTO wallet (user_id, coin, type, pool_address_id, address)
      SELECT $1::int, 'ETH', 'invoice', id, address FROM a RETURNING id, pool_address_id),
    i AS (INSERT INTO invoice (user_id, amount_eur_cents, coin, chain, amount_units, rate, wallet_id, chain_epoch, expiry_minutes,
        expires_at, status, payment_state, amount_paid_units, amount_confirmed_units, amount_received_units, paid_at)
      SELECT $1::int, 3118, 'ETH', 'ethereum', $3::numeric, 3118.4, id, 0, 60, now() + interval '1 hour', 'paid', 'settled', $3::numeric,
        $3::numeric, $3::numeric, now() FROM w RETURNING id),
    e AS (INSERT INTO invoice_event (invoice_id, sequence, type, from_status, to_status, payment_state)
      SELECT id, 1, 'invoice.statusChanged', 'pending', 'paid', 'settled' FROM i)
  INSERT INTO deposit (coin, chain, transfer_key, tx_hash, pool_address_id, wallet_id, amount_units, block_height, block_hash, block_time)
  SELECT 'ETH', 'ethereum', '0x' || md5(id::text), '0x' || md5(id::text), pool_address_id, id, $3::numeric, 1 + id % ${HEIGHT}, '0xblock', now() FROM w`;
