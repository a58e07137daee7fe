import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ChildRecords } from './child-records';

let file: string;
const children: ChildProcess[] = [];

beforeEach(() => {
  file = path.join(mkdtempSync(path.join(tmpdir(), 'incassa-records-')), 'children.json');
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function startSleeper(): Promise<ChildProcess & { pid: number }> {
  const child = spawn('sleep', ['60']);
  children.push(child);
  await once(child, 'spawn');
  if (child.pid === undefined) throw new Error('no process number');
  return Object.assign(child, { pid: child.pid });
}

test('the next starter ends what a killed one left behind', async () => {
  const child = await startSleeper();
  new ChildRecords(file).add('watcher', child.pid);
  expect(await new ChildRecords(file).reap()).toEqual(['watcher']);
  await vi.waitFor(() => expect(child.signalCode).toBe('SIGTERM'));
  expect(await new ChildRecords(file).reap()).toEqual([]);
});

test('a process that only has the number of a former child is left alone', async () => {
  const child = await startSleeper();
  new ChildRecords(file).add('watcher', child.pid);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/"startedAt": "[^"]*"/, '"startedAt": "another boot/1"'));
  expect(await new ChildRecords(file).reap()).toEqual([]);
  expect(child.exitCode).toBeNull();
  expect(child.signalCode).toBeNull();
});

test('a child that ended is forgotten, and a damaged file counts as empty', async () => {
  const child = await startSleeper();
  const records = new ChildRecords(file);
  records.add('web', child.pid);
  records.remove(child.pid);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual([]);
  writeFileSync(file, '[{"name":');
  expect(await new ChildRecords(file).reap()).toEqual([]);
});
