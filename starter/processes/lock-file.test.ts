import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { tryLock } from './lock-file.mjs';

const newFile = () => path.join(mkdtempSync(path.join(tmpdir(), 'incassa-lock-')), 'run', 'starter.lock');

test('a lock is held once, by a named process, until it is released', () => {
  const file = newFile();
  const first = tryLock(file);
  expect(first.held).toBe(true);
  expect(tryLock(file)).toEqual({ held: false, owner: process.pid });
  if (first.held) first.release();
  expect(tryLock(file).held).toBe(true);
});

test.each([
  ['of a process that is gone', JSON.stringify({ pid: 2 ** 22 - 1, startedAt: 'x', command: 'node' })],
  ['of a process whose number was used again', JSON.stringify({ pid: process.pid, startedAt: 'x', command: 'node' })],
  ['that was cut short', '{"pid": 1'],
])('a lock %s is taken over', (_, content) => {
  const file = newFile();
  const mine = tryLock(file);
  if (mine.held) mine.release();
  writeFileSync(file, content);
  expect(tryLock(file).held).toBe(true);
});

test('a dead lock that the system does not let us move is an error, not a wait without end', () => {
  const file = newFile();
  mkdirSync(path.dirname(file));
  writeFileSync(file, '{"pid": 1');
  const code = `import { tryLock } from ${JSON.stringify(path.join(import.meta.dirname, 'lock-file.mjs'))};
    import { mkdirSync } from 'node:fs';
    const file = ${JSON.stringify(file)};
    mkdirSync(file + '.' + process.pid);
    tryLock(file);`;
  const args = ['--input-type=module', '--eval', code];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 10_000 });
  expect(stderr).toContain('EISDIR');
  expect(status).toBe(1);
}, 20_000);
