import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { installLock } from './install-dependencies.mjs';
import { processFacts } from './processes/process-facts.mjs';

const MODULE = path.join(import.meta.dirname, 'install-dependencies.mjs');
let clone: string;
const started: ChildProcess[] = [];

/** A clone with a lock file, and an `npm` that takes until the file `go` is there. */
beforeEach(() => {
  clone = mkdtempSync(path.join(tmpdir(), 'incassa-install-test-'));
  writeFileSync(path.join(clone, 'package.json'), '{"engines":{"node":">=20.19"}}');
  writeFileSync(path.join(clone, 'package-lock.json'), '{}');
  mkdirSync(path.join(clone, 'bin'));
  const npm = path.join(clone, 'bin', 'npm');
  const script = `rm -rf node_modules; mkdir node_modules; echo run >> runs; echo $$ > npm.pid
    while [ ! -e go ]; do sleep 0.05; done; echo '{}' > node_modules/.package-lock.json`;
  writeFileSync(npm, `#!/bin/sh\n${script}\n`);
  chmodSync(npm, 0o755);
});
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  rmSync(installLock(clone), { force: true });
  rmSync(clone, { recursive: true, force: true });
});

const there = (file: string) => existsSync(path.join(clone, file));
const runs = () => (there('runs') ? readFileSync(path.join(clone, 'runs'), 'utf8').trim().split('\n').length : 0);
const npmPid = () => Number(readFileSync(path.join(clone, 'npm.pid'), 'utf8'));
const until = (condition: () => boolean) =>
  vi.waitFor(() => expect(condition()).toBe(true), { timeout: 15_000, interval: 25 });

/** What `npm start` does first, in its own process. */
function start() {
  const code = `import { installDependencies } from ${JSON.stringify(MODULE)};
    await installDependencies(${JSON.stringify(clone)}).catch((error) => { console.log(error.message); process.exitCode = 1; });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    env: { ...process.env, PATH: `${path.join(clone, 'bin')}:${process.env.PATH}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  const said: string[] = [];
  child.stdout.on('data', (chunk) => said.push(String(chunk)));
  return { child, ended: once(child, 'exit'), said: () => said.join('') };
}

test('a start that is stopped during npm ci stops npm, says so and leaves no lock', async () => {
  const first = start();
  await until(() => there('npm.pid'));
  first.child.kill('SIGINT');
  expect(await first.ended).toEqual([1, null]);
  expect(first.said()).toContain('the next start begins it again');
  expect(processFacts(npmPid())).toBeUndefined();
  expect(existsSync(installLock(clone))).toBe(false);
  writeFileSync(path.join(clone, 'go'), '');
  const second = start();
  expect(await second.ended).toEqual([0, null]);
  expect(runs()).toBe(2);
}, 30_000);

test('a start that is killed during npm ci takes npm with it; the next one takes over with a sentence and begins again', async () => {
  const first = start();
  await until(() => there('npm.pid') && readFileSync(installLock(clone), 'utf8').includes('},{'));
  first.child.kill('SIGKILL');
  await first.ended;
  const second = start();
  await until(() => runs() === 2);
  writeFileSync(path.join(clone, 'go'), '');
  expect(await second.ended).toEqual([0, null]);
  expect(second.said()).toContain(`that process ${first.child.pid} began was cut off: it begins again`);
  expect(there('node_modules/.incassa-installed')).toBe(true);
}, 30_000);

test('a start beside a living installation says that it waits, and does not install twice', async () => {
  const first = start();
  await until(() => there('npm.pid'));
  const second = start();
  await until(() => second.said().includes('waiting for it'));
  expect(second.said()).toContain(`(process ${first.child.pid})`);
  writeFileSync(path.join(clone, 'go'), '');
  expect(await Promise.all([first.ended, second.ended])).toEqual([
    [0, null],
    [0, null],
  ]);
  expect(runs()).toBe(1);
}, 30_000);

test('what is installed is not installed again, until package-lock.json changes', async () => {
  writeFileSync(path.join(clone, 'go'), '');
  for (const expected of [1, 1]) {
    await start().ended;
    expect(runs()).toBe(expected);
  }
  writeFileSync(path.join(clone, 'package-lock.json'), '{"changed":true}');
  await start().ended;
  expect(runs()).toBe(2);
}, 30_000);

test('a Node that package.json does not allow is one sentence', async () => {
  writeFileSync(path.join(clone, 'package.json'), '{"engines":{"node":">=99.1"}}');
  const old = start();
  expect(await old.ended).toEqual([1, null]);
  expect(old.said()).toMatch(/^Incassa needs Node 99\.1 or newer; this is \d+\.\d+\.\d+\.\n$/);
  expect(runs()).toBe(0);
}, 30_000);
