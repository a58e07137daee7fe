import { HDNodeWallet, Mnemonic } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressSourceOf } from '@/lib/chains/registry';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { publishWatchKeys } from '@/lib/keys/publish-watch-keys';
import { replenishPool } from '@/lib/wallets/replenish-pool';
import { claimPrimaryWallet } from '@/lib/wallets/repository';
import { makeCursor, makeUser } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';

describe('the address pool', () => {
  let test: TestDatabase;
  let dispatcher: Database;
  let web: Database;

  beforeAll(async () => {
    test = await createTestDatabase();
    dispatcher = openDatabase(test.roleUrl('dispatcher'), { max: 5, applicationName: 'dispatcher' });
    web = openDatabase(test.roleUrl('web'), { max: 20, applicationName: 'web' });
    await publishWatchKeys(test.db.pool, Buffer.alloc(32));
  });
  afterAll(async () => {
    await Promise.all([closeDatabase(dispatcher), closeDatabase(web)]);
    await test.drop();
  });

  const addresses = async (purpose: string) => {
    const { rows } = await test.db.pool.query<{ address: string }>(
      'SELECT address FROM pool_address WHERE purpose = $1::address_purpose ORDER BY derivation_index',
      [purpose],
    );
    return rows.map((row) => row.address);
  };

  const claim = (userId: number) =>
    claimPrimaryWallet.first(web.pool, { ...addressSourceOf('ETH'), userId, coin: 'ETH' });

  it('holds the addresses that a wallet app derives from the same words', async () => {
    await replenishPool(dispatcher, 30);
    const mnemonic = Mnemonic.fromEntropy(Buffer.alloc(32));
    const expected = (account: number, count: number) =>
      Array.from({ length: count }, (_, index) =>
        HDNodeWallet.fromMnemonic(mnemonic, `m/44'/60'/${account}'/0/${index}`).address.toLowerCase(),
      );
    expect(await addresses('invoice')).toEqual(expected(1, 30));
    expect(await addresses('primary')).toEqual(expected(0, 3));
  });

  it('is filled to its target and not beyond, also by several dispatchers at once', async () => {
    expect(await replenishPool(dispatcher, 30)).toBe(0);
    await Promise.all(Array.from({ length: 4 }, () => replenishPool(dispatcher, 40)));
    const all = await addresses('invoice');
    expect(all.length).toBeGreaterThanOrEqual(40);
    expect(new Set(all).size).toBe(all.length);
    expect(await replenishPool(dispatcher, 40)).toBe(0);
  });

  it('gives nothing away before the watcher has loaded its generation', async () => {
    const { id } = await makeUser(test.db.pool);
    await makeCursor(test.db.pool, { loadedGeneration: 0n });
    expect(await claim(id)).toBeNull();
    await makeCursor(test.db.pool, { loadedGeneration: 1_000n });
    expect(await claim(id)).not.toBeNull();
  });

  it('gives every address once, to however many ask at the same time, and null when it is dry', async () => {
    await replenishPool(dispatcher, 200);
    const users = await Promise.all(Array.from({ length: 30 }, () => makeUser(test.db.pool)));
    const claimed = await Promise.all(users.map((user) => claim(user.id)));
    const got = claimed.filter((wallet) => wallet !== null).map((wallet) => wallet.id);
    expect(got.length).toBeLessThan(users.length);
    expect(new Set(got).size).toBe(got.length);
    const { rows } = await test.db.pool.query(
      'SELECT count(*)::int AS wallets, count(DISTINCT address)::int AS addresses FROM wallet',
    );
    expect(rows[0].wallets).toBe(rows[0].addresses);
  });
});
