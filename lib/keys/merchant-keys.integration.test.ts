import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ChainDefinition } from '@/lib/chains/definition';
import { chainDefinition } from '@/lib/chains/registry';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { replenishPool } from '@/lib/wallets/replenish-pool';
import { emptyTables } from '@/testing/empty-tables';
import { makeCursor, makeUser } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { publishWatchKeys } from './publish-watch-keys';

const ENTROPY = Buffer.alloc(32);
const TARGET = 30;

/** A chain on which every merchant has a key: the accounts of merchant n are 2n and 2n + 1. */
const ethereum = chainDefinition('ethereum');
const perMerchant: ChainDefinition = {
  ...ethereum,
  traits: { ...ethereum.traits, keyScope: 'merchant' },
  keys: async () => {
    const scheme = await ethereum.keys();
    return {
      accountKey: (seed, account, merchantId) => scheme.accountKey(seed, account + 2 * (merchantId ?? 0), null),
    };
  },
};

let database: TestDatabase;
let db: Database;
/** The signer's and the dispatcher's logins: what they may not do fails here. */
let signer: Database;
let dispatcher: Database;
let merchants: number[];

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  signer = openDatabase(database.roleUrl('signer'), { max: 1, applicationName: 'test-signer' });
  dispatcher = openDatabase(database.roleUrl('dispatcher'), { max: 1, applicationName: 'test-dispatcher' });
});
afterAll(async () => {
  await closeDatabase(signer);
  await closeDatabase(dispatcher);
  await database.drop();
});
beforeEach(async () => {
  await emptyTables(db.pool);
  await makeCursor(db.pool);
  merchants = [await makeUser(db.pool), await makeUser(db.pool)].map(({ id }) => id);
});

async function keys() {
  const { rows } = await db.pool.query<{ owner: number | null; purpose: string; key: string }>(
    'SELECT merchant_id AS owner, purpose, public_key AS key FROM watch_key ORDER BY merchant_id NULLS FIRST, purpose::text',
  );
  return rows;
}

/** Takes addresses of a merchant's key, or of the key of all, until there is none. @returns whose keys they are of */
async function claimAll(userId: number, hasOwnKey: boolean): Promise<(number | null)[]> {
  const owners: (number | null)[] = [];
  await db.pool.query(`UPDATE coin_rule SET has_own_key = $1 WHERE coin = 'ETH'`, [hasOwnKey]);
  for (;;) {
    const { rows } = await db.pool.query<{ owner: number | null; scope: number | null }>(
      `SELECT k.merchant_id AS owner, p.merchant_id AS scope
       FROM claim_wallet($1, 'ETH', 'invoice') w JOIN pool_address p ON p.address = w.address
         JOIN watch_key k ON k.id = p.watch_key_id`,
      [userId],
    );
    const [row] = rows;
    if (!row) return owners;
    expect(row.scope).toBe(row.owner);
    owners.push(row.owner);
  }
}

describe('a key of one merchant', () => {
  test('is published for each, is another for each, stays as it is, and comes to those who join', async () => {
    await publishWatchKeys(signer.pool, ENTROPY, [perMerchant]);
    const published = await keys();
    expect(published.map(({ owner, purpose }) => [owner, purpose])).toEqual(
      merchants.flatMap((id) => ['invoice', 'primary'].map((purpose) => [id, purpose])),
    );
    expect(new Set(published.map(({ key }) => key)).size).toBe(4);
    const { id } = await makeUser(db.pool);
    await publishWatchKeys(signer.pool, ENTROPY, [perMerchant]);
    expect((await keys()).slice(0, 4)).toEqual(published);
    expect((await keys()).slice(4)).toMatchObject([{ owner: id }, { owner: id }]);
  });

  test('of another seed is refused, whichever merchant’s it is', async () => {
    await publishWatchKeys(signer.pool, ENTROPY, [perMerchant]);
    await db.pool.query(`UPDATE watch_key SET public_key = 'other' WHERE merchant_id = $1`, [merchants[1]]);
    await expect(publishWatchKeys(signer.pool, ENTROPY, [perMerchant])).rejects.toThrow('does not belong');
  });

  test('gives addresses to that merchant alone, and its pool is filled for itself', async () => {
    await publishWatchKeys(signer.pool, ENTROPY, [perMerchant]);
    await replenishPool(dispatcher, TARGET);
    const [first = 0, second = 0] = merchants;
    expect(await claimAll(first, true)).toEqual([first, first, first]);
    expect(await claimAll(first, false)).toEqual([]);
    expect(await claimAll((await makeUser(db.pool)).id, true)).toEqual([]);
    expect(await replenishPool(dispatcher, TARGET)).toBe(3);
    expect(await claimAll(second, true)).toEqual([second, second, second]);
    expect(await claimAll(first, true)).toEqual([first, first, first]);
  });

  test('is a key of nobody else: it never becomes the key of all, even when its merchant goes', async () => {
    await publishWatchKeys(signer.pool, ENTROPY, [perMerchant]);
    const going = db.pool.query('DELETE FROM user_account WHERE id = $1', [merchants[0]]);
    await expect(going).rejects.toThrow('watch_key_merchant_id_fkey');
    expect((await keys()).map(({ owner }) => owner)).not.toContain(null);
  });
});

test('the key of all gives addresses to everyone, and never in place of a merchant’s own', async () => {
  await publishWatchKeys(signer.pool, ENTROPY);
  await replenishPool(dispatcher, 3);
  const [first = 0, second = 0] = merchants;
  expect(await claimAll(first, true)).toEqual([]);
  expect(await claimAll(second, false)).toEqual([null, null, null]);
  await publishWatchKeys(signer.pool, ENTROPY, [perMerchant]);
  await replenishPool(dispatcher, 3);
  expect(await claimAll(first, false)).toEqual([null, null, null]);
});
