import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { sourceHash } from './source-hash';

let root: string;
const hash = () => sourceHash(root, ['app', 'package.json', 'absent'], (file) => file.endsWith('.test.ts'));
const write = (file: string, text: string) => writeFileSync(path.join(root, file), text);

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'incassa-hash-'));
  mkdirSync(path.join(root, 'app', 'pay'), { recursive: true });
  write('app/pay/page.tsx', 'one');
  write('package.json', '{}');
});

test('the same sources give the same hash, whatever their times', () => {
  const before = hash();
  utimesSync(path.join(root, 'app/pay/page.tsx'), 1, 1);
  expect(hash()).toBe(before);
});

test('a change, a new file, a removed one and a move each give another hash', () => {
  const seen = new Set([hash()]);
  write('app/pay/page.tsx', 'two');
  seen.add(hash());
  write('app/new.ts', '');
  seen.add(hash());
  rmSync(path.join(root, 'app/pay/page.tsx'));
  seen.add(hash());
  write('app/page.tsx', 'two');
  seen.add(hash());
  expect(seen.size).toBe(5);
});

test('what does not matter does not count', () => {
  const before = hash();
  write('app/pay/page.test.ts', 'x');
  write('README.md', 'x');
  expect(hash()).toBe(before);
});
