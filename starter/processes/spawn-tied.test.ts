import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { processFacts } from './process-facts.mjs';

const MODULE = path.join(import.meta.dirname, 'spawn-tied.mjs');

/** A parent that starts one child, says its number once it runs, and does nothing more. */
async function startParent(program: string, args: string[], patienceMs: number) {
  const code = `
    import { spawnTied } from ${JSON.stringify(MODULE)};
    const tie = { signal: 'SIGTERM', patienceMs: ${patienceMs} };
    const options = { detached: true, stdio: ['ignore', 'pipe', 'ignore'] };
    const child = spawnTied(${JSON.stringify(program)}, ${JSON.stringify(args)}, options, tie);
    child.stdout.once('data', () => console.log(child.pid));
    setInterval(() => undefined, 1000);`;
  const parent = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [text] = await once(parent.stdout, 'data');
  return { parent, pid: Number(text) };
}

const isGone = (pid: number) =>
  vi.waitFor(() => expect(processFacts(pid)).toBeUndefined(), { timeout: 15_000, interval: 50 });

test('a program ends with its parent, also when that is killed with SIGKILL', async () => {
  const { parent, pid } = await startParent('/bin/sh', ['-c', 'echo runs; exec sleep 60'], 60_000);
  expect(processFacts(pid)).toBeDefined();
  parent.kill('SIGKILL');
  await isGone(pid);
}, 20_000);

test('a process whose main thread stands in Atomics.wait, deaf to SIGTERM, ends with its parent too', async () => {
  const deaf = `
    process.on('SIGTERM', () => undefined);
    require('node:fs').writeSync(1, 'runs');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);`;
  const { parent, pid } = await startParent(process.execPath, ['--eval', deaf], 1_000);
  process.kill(pid, 'SIGTERM');
  parent.kill('SIGKILL');
  await isGone(pid);
}, 20_000);

test('a program that ends well within the patience is not killed', async () => {
  const tidy = `
    process.on('SIGTERM', () => setTimeout(() => { require('node:fs').writeFileSync(process.argv[1], 'tidy'); process.exit(0); }, 700));
    require('node:fs').writeSync(1, 'runs');
    setInterval(() => undefined, 1000);`;
  const folder = mkdtempSync(path.join(tmpdir(), 'incassa-tied-'));
  const note = path.join(folder, 'note');
  const { parent, pid } = await startParent(process.execPath, ['--eval', tidy, note], 10_000);
  parent.kill('SIGKILL');
  await isGone(pid);
  expect(readFileSync(note, 'utf8')).toBe('tidy');
  rmSync(folder, { recursive: true });
}, 20_000);
