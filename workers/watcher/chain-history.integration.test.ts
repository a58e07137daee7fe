import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ChainWatcher } from '@/lib/chain-sync/chain-watcher';
import { chainDefinition } from '@/lib/chains/registry';
import { systemClock } from '@/lib/shared/time';
import { type Anvil, anvilReader, startAnvil } from '@/testing/anvil';
import { emptyTables } from '@/testing/empty-tables';
import { makePool } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

type Step =
  | { kind: 'pay'; to: number; amount: bigint }
  | { kind: 'mine'; count: number }
  | { kind: 'reorg'; depth: number }
  | { kind: 'look' }
  | { kind: 'restart' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('pay' as const), to: fc.nat(2), amount: fc.bigInt(1n, 10n ** 18n) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('mine' as const), count: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reorg' as const), depth: fc.integer({ min: 1, max: 30 }) }) },
  { weight: 4, arbitrary: fc.constant({ kind: 'look' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
);

function watch(anvil: Anvil): ChainWatcher {
  return new ChainWatcher({
    db: database.db,
    reader: anvilReader(anvil.url),
    settings: { confirmation: { kind: 'count', blocks: 3 }, isDevnet: false, pollMs: 0 },
    traits: chainDefinition('ethereum').traits,
    drain: async () => undefined,
    signal: new AbortController().signal,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
  });
}

async function head(anvil: Anvil): Promise<number> {
  return Number(await anvil.rpc('eth_blockNumber'));
}

async function apply(anvil: Anvil, addresses: string[], step: Step): Promise<void> {
  if (step.kind === 'mine') await anvil.rpc('anvil_mine', [`0x${step.count.toString(16)}`]);
  if (step.kind === 'reorg') await anvil.rpc('anvil_reorg', [step.depth, []]);
  if (step.kind === 'pay') {
    const [from] = (await anvil.rpc('eth_accounts')) as string[];
    const value = `0x${step.amount.toString(16)}`;
    await anvil.rpc('eth_sendTransaction', [{ from, to: addresses[step.to], value, gas: '0x5208' }]);
    await anvil.rpc('evm_mine');
  }
}

async function recorded(address: string | undefined): Promise<bigint> {
  const { rows } = await database.db.pool.query<{ sum: string }>(
    `SELECT coalesce(sum(d.amount_units), 0)::text AS sum FROM deposit d JOIN pool_address p ON p.id = d.pool_address_id
      WHERE p.address = $1 AND d.orphaned_at IS NULL`,
    [address],
  );
  return BigInt(rows[0]?.sum ?? 0);
}

/** Lives through a history, then checks the books against the chain. */
async function live(steps: Step[]): Promise<void> {
  await emptyTables(database.db.pool);
  const addresses = await makePool(database.db.pool, { count: 3 });
  await database.db.pool.query(`INSERT INTO pool_generation VALUES ('EVM', 1)`);
  // Finality so far back that no reorg of this test reaches it.
  const anvil = await startAnvil(['--no-mining', '--slots-in-an-epoch', '1000']);
  let watcher = watch(anvil);
  try {
    await anvil.rpc('anvil_mine', ['0x40']);
    await watcher.tick();
    for (const step of steps) {
      await apply(anvil, addresses, step);
      if (step.kind === 'look') await watcher.tick();
      if (step.kind !== 'restart') continue;
      await watcher.close();
      watcher = watch(anvil);
    }
    await anvil.rpc('evm_mine');
    await watcher.tick();
    const { rows } = await database.db.pool.query('SELECT height, paused_reason FROM chain_cursor');
    expect(rows).toEqual([{ height: BigInt(await head(anvil)), paused_reason: null }]);
    for (const address of addresses)
      expect(await recorded(address)).toBe(BigInt(String(await anvil.rpc('eth_getBalance', [address, 'latest']))));
  } finally {
    await watcher.close();
    await anvil.stop();
  }
}

test('[B1] after any history of payments, reorgs up to 30 deep and restarts, what counts is what the chain holds', async () => {
  const history = fc.array(step, { minLength: 5, maxLength: 25 });
  await fc.assert(fc.asyncProperty(history, live), { numRuns: 15, endOnFailure: true });
}, 120_000);
