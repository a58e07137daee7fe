import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PoolWitness } from './pool-witness';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'incassa-witness-'));
  path = join(folder, 'pool-witness.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a database that knows as much as before, or more, has nothing against it; one that knows less has forgotten wallets', async () => {
  expect(await new PoolWitness(path).testify(7)).toBeNull();
  await new PoolWitness(path).note(7);
  expect(await new PoolWitness(path).testify(7)).toBeNull();
  expect(await new PoolWitness(path).testify(9)).toBeNull();
  expect(await new PoolWitness(path).testify(4)).toEqual({ forgottenWallets: 3 });
});

test('a witness that was put back with the data is a copy, whatever it says', async () => {
  await new PoolWitness(path).note(7);
  cpSync(path, `${path}.copy`, { preserveTimestamps: true });
  rmSync(path);
  cpSync(`${path}.copy`, path, { preserveTimestamps: true });
  expect(await new PoolWitness(path).testify(7)).toEqual({ forgottenWallets: 0 });
  await new PoolWitness(path).note(7);
  expect(await new PoolWitness(path).testify(7)).toBeNull();
});

test('it goes on from what is true now, also downwards, and a damaged file says nothing', async () => {
  const witness = new PoolWitness(path);
  for (const newest of [7, 8, 4]) await witness.note(newest);
  expect(await new PoolWitness(path).testify(4)).toBeNull();
  writeFileSync(path, '{"newestWalletId": 7, "fi');
  expect(await new PoolWitness(path).testify(0)).toBeNull();
});
