import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { processFacts } from '../processes/process-facts.mjs';
import { startEmbeddedPostgres } from './embedded-postgres';

let folder: string;
const cleanUps: (() => unknown)[] = [];
const said: string[] = [];
const log = (line: string) => said.push(line);

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'incassa-postgres-test-'));
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  said.splice(0);
  rmSync(folder, { recursive: true, force: true });
});

async function start(dataDir = path.join(folder, 'postgres'), durable = false) {
  const postgres = await startEmbeddedPostgres({ dataDir, durable, log });
  cleanUps.push(() => postgres.stop());
  return postgres;
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query(statement).finally(() => client.end());
  return rows;
}

function reaches(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 2_000 });
    socket.once('connect', () => resolve(true));
    for (const event of ['error', 'timeout'] as const) socket.once(event, () => resolve(false));
    socket.once('close', () => socket.destroy());
  });
}

test('PostgreSQL 18 keeps its data over a stop, listens on loopback only and asks for the password', async () => {
  const first = await start();
  await query(first.ownerUrl, `CREATE TABLE kept AS SELECT 'perché' AS word`);
  await first.stop();
  expect(processFacts(first.pid)).toBeUndefined();
  const second = await start();
  expect(await query(second.ownerUrl, 'SELECT word FROM kept')).toEqual([{ word: 'perché' }]);
  expect(await query(second.ownerUrl, 'SHOW server_version')).toEqual([
    { server_version: expect.stringMatching(/^18\./) },
  ]);
  expect(statSync(path.join(folder, 'postgres.password')).mode & 0o777).toBe(0o600);
  const wrong = Object.assign(new URL(second.ownerUrl), { password: 'wrong' }).href;
  await expect(query(wrong, 'SELECT 1')).rejects.toThrow('password authentication failed');
  const outside = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  for (const { address } of outside.filter((card) => !card.internal && card.family === 'IPv4')) {
    expect(await reaches(address, second.port)).toBe(false);
  }
});

test('after kill -9 the next start recovers, also when the old process number belongs to somebody else now', async () => {
  const first = await start(undefined, true);
  await query(first.ownerUrl, 'CREATE TABLE kept AS SELECT 1 AS n');
  process.kill(first.pid, 'SIGKILL');
  await first.ended;
  const stranger: ChildProcess = spawn('sleep', ['60']);
  cleanUps.push(() => stranger.kill('SIGKILL'));
  const pidFile = path.join(folder, 'postgres', 'postmaster.pid');
  writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(/^\d+/, String(stranger.pid)));
  const second = await start();
  expect(await query(second.ownerUrl, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
  expect(stranger.signalCode).toBeNull();
});

test('a server that a dead starter left running is stopped and replaced', async () => {
  const left = await start();
  const next = await start();
  expect(processFacts(left.pid)).toBeUndefined();
  expect(await query(next.ownerUrl, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
});

test('an interrupted creation begins again', async () => {
  mkdirSync(path.join(folder, 'postgres.new', 'base'), { recursive: true });
  const { ownerUrl } = await start();
  expect(await query(ownerUrl, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
});

test.runIf(process.getuid?.() === 0)(
  'as root it runs as another user, also below a folder that is closed to that user',
  async () => {
    const closed = path.join(folder, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const { pid, ownerUrl } = await start(path.join(closed, 'clone', '.data', 'postgres'));
    expect(statSync(`/proc/${pid}`).uid).not.toBe(0);
    expect(await query(ownerUrl, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  },
);

test('without the superuser’s password, missing or empty, it goes on as the owner, says so and keeps the data', async () => {
  const first = await start();
  await query(first.ownerUrl, 'CREATE TABLE kept AS SELECT 1 AS n');
  await first.stop();
  const file = path.join(folder, 'postgres.superuser');
  for (const lose of [() => rmSync(file), () => writeFileSync(file, ''), () => undefined]) {
    said.splice(0);
    lose();
    const next = await start();
    expect(await query(next.ownerUrl, 'SELECT n FROM kept')).toEqual([{ n: 1 }]);
    expect(said.filter((line) => line.includes('going on without it'))).toHaveLength(1);
    await next.stop();
  }
});
