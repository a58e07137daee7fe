import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { loadSecrets } from './secrets';
import { StartError } from './start-error';

const newFolder = () => mkdtempSync(path.join(tmpdir(), 'incassa-secrets-'));

test('secrets are made once, readable by their owner only', () => {
  const folder = newFolder();
  const first = loadSecrets(folder);
  expect(loadSecrets(folder)).toEqual(first);
  for (const name of ['secrets.json', 'kek']) expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
  expect(Buffer.from(readFileSync(first.kekFile, 'utf8').trim(), 'base64')).toHaveLength(32);
  expect(Buffer.from(first.appSealKey, 'base64')).toHaveLength(32);
});

test('two instances share no secret', () => {
  const [one, other] = [loadSecrets(newFolder()), loadSecrets(newFolder())];
  expect(one.authSecret).not.toBe(other.authSecret);
  expect(one.demoMerchant.password).not.toBe(other.demoMerchant.password);
  expect(new Set(Object.values(one.rolePasswords)).size).toBe(4);
});

test('a damaged file stops the start instead of being replaced, which would lock the data out', () => {
  const folder = newFolder();
  loadSecrets(folder);
  writeFileSync(path.join(folder, 'secrets.json'), '{');
  expect(() => loadSecrets(folder)).toThrow(StartError);
  expect(readFileSync(path.join(folder, 'secrets.json'), 'utf8')).toBe('{');
  expect(existsSync(path.join(folder, 'secrets.json.new'))).toBe(false);
});
