import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { openSeed } from '@/lib/keys/vault';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { createSeed } from './create-seed';
import { publishWatchKeys } from './publish-watch-keys';
import { findSeed } from './repository';

/** BIP-39 test phrase with known addresses, in its 24-word form. */
const WORDS = `${'abandon '.repeat(23)}art`;

describe('the instance seed', () => {
  let test: TestDatabase;
  let signer: Database;
  const kek = randomBytes(32);

  beforeAll(async () => {
    test = await createTestDatabase();
    signer = openDatabase(test.roleUrl('signer'), { max: 4, applicationName: 'signer' });
  });
  afterAll(async () => {
    await closeDatabase(signer);
    await test.drop();
  });

  it('is made once: ten starts at the same time leave one seed, and one of them knows its words', async () => {
    const made = await Promise.all(
      Array.from({ length: 10 }, () => createSeed(signer.pool, { network: 'devnet', kek })),
    );
    const words = made.filter((phrase) => phrase !== null);
    expect(words).toHaveLength(1);
    expect(words[0]?.split(' ')).toHaveLength(24);
    expect(await createSeed(signer.pool, { network: 'devnet', kek })).toBeNull();
  });

  it('takes the words of a paper backup, however they are spaced, and refuses what is no BIP-39 phrase', async () => {
    const words = ` ${WORDS.toUpperCase().replaceAll(' ', '\n')} `;
    expect(await createSeed(signer.pool, { network: 'restored', kek, words })).toBe(WORDS);
    const bad = { network: 'bad', kek };
    await expect(createSeed(signer.pool, { ...bad, words: 'abandon '.repeat(24) })).rejects.toThrow('BIP-39');
    await expect(createSeed(signer.pool, { ...bad, words: 'abandon about' })).rejects.toThrow('24 words');
    expect(await findSeed.first(signer.pool, { network: 'bad' })).toBeNull();
  });

  it('does not open with another KEK', async () => {
    await expect(createSeed(signer.pool, { network: 'devnet', kek: randomBytes(32) })).rejects.toThrow();
  });

  it('cannot be read, nor watch keys written, with the login of web, watcher or dispatcher', async () => {
    for (const role of ['web', 'watcher', 'dispatcher'] as const) {
      const db = openDatabase(test.roleUrl(role), { max: 1, applicationName: role });
      try {
        await expect(db.pool.query('SELECT 1 FROM instance_seed')).rejects.toThrow('permission denied');
        await expect(db.pool.query(`UPDATE watch_key SET public_key = 'x'`)).rejects.toThrow('permission denied');
      } finally {
        await closeDatabase(db);
      }
    }
  });

  it('lies in the database only sealed', async () => {
    const { rows } = await test.db.pool.query<{ sealed: Buffer }>(
      `SELECT sealed FROM instance_seed WHERE network = 'restored'`,
    );
    const row = await findSeed.first(signer.pool, { network: 'restored' });
    const entropy = row && openSeed(row, kek);
    expect(entropy).toEqual(Buffer.alloc(32));
    expect(rows[0]?.sealed.includes(Buffer.alloc(32))).toBe(false);
  });

  it('publishes its public keys once, and objects to those of another seed', async () => {
    await publishWatchKeys(signer.pool, Buffer.alloc(32));
    await publishWatchKeys(signer.pool, Buffer.alloc(32));
    const { rows } = await signer.pool.query(
      'SELECT purpose, path, left(public_key, 4) AS kind FROM watch_key ORDER BY path',
    );
    expect(rows).toEqual([
      { purpose: 'primary', path: "m/44'/60'/0'", kind: 'xpub' },
      { purpose: 'invoice', path: "m/44'/60'/1'", kind: 'xpub' },
    ]);
    await expect(publishWatchKeys(signer.pool, Buffer.alloc(32, 1))).rejects.toThrow('does not belong');
  });
});
