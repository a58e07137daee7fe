import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startEmbeddedPostgres } from './embedded-postgres';
import { inFolder } from './in-folder';
import { nativeFolder } from './native-folder';
import { newPassword } from './password-file';
import { systemUser } from './system-user';

let folder: string;
let dataDir: string;
const cleanUps: (() => unknown)[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'incassa-take-over-test-'));
  dataDir = path.join(folder, 'postgres');
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  rmSync(folder, { recursive: true, force: true });
});

async function start() {
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false, log: () => undefined });
  cleanUps.push(() => postgres.stop());
  return postgres;
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** A cluster as older versions made it: its only login, the owner, is the superuser. */
async function makeOldCluster(): Promise<void> {
  const user = systemUser();
  mkdirSync(dataDir, { mode: 0o700 });
  if (user) chownSync(dataDir, user.uid, user.gid);
  const password = newPassword(`${dataDir}.password`);
  const handover = mkdtempSync(path.join(tmpdir(), 'incassa-initdb-'));
  cleanUps.push(() => rmSync(handover, { recursive: true, force: true }));
  const passwordFile = path.join(handover, 'password');
  writeFileSync(passwordFile, `${password}\n`);
  if (user) for (const owned of [handover, passwordFile]) chownSync(owned, user.uid, user.gid);
  const { pgdata, options } = inFolder(dataDir, user);
  const bin = path.join(await nativeFolder(user), 'bin');
  const run = (program: string, command: string[], input = '') => {
    const result = spawnSync(path.join(bin, program), command, { ...options, input, encoding: 'utf8' });
    if (result.status !== 0 || /ERROR/.test(result.stderr)) throw new Error(result.stderr);
  };
  const login = ['--username=incassa_owner', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  run('initdb', [`--pgdata=${pgdata}`, ...login, '--encoding=UTF8', '--no-locale', '--no-sync']);
  const single = (database: string, input: string) => run('postgres', ['--single', '-D', pgdata, database], input);
  single('postgres', 'CREATE DATABASE incassa\nCREATE ROLE incassa_web LOGIN\n');
  single('incassa', `CREATE TABLE kept (id SERIAL, word text)\nINSERT INTO kept (word) VALUES ('perché')\n`);
}

const LOGINS = `SELECT rolname, rolsuper, rolcanlogin FROM pg_roles WHERE rolname ~ '^incassa_' ORDER BY rolname`;
const OWNERS = `SELECT relname, relowner::regrole::text AS owner FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S') ORDER BY relname`;

test('a cluster whose owner was its superuser keeps its rows, its owner is an ordinary one, and the former one has no login', async () => {
  await makeOldCluster();
  for (let round = 0; round < 2; round += 1) {
    const next = await start();
    expect(await query(next.ownerUrl, 'SELECT * FROM kept')).toEqual([{ id: 1, word: 'perché' }]);
    expect(await query(next.ownerUrl, OWNERS)).toEqual([
      { relname: 'kept', owner: 'incassa_owner' },
      { relname: 'kept_id_seq', owner: 'incassa_owner' },
    ]);
    expect(await query(next.superuserUrl, LOGINS)).toEqual([
      { rolname: 'incassa_cluster', rolsuper: true, rolcanlogin: true },
      { rolname: 'incassa_former_owner', rolsuper: true, rolcanlogin: false },
      { rolname: 'incassa_owner', rolsuper: false, rolcanlogin: true },
      { rolname: 'incassa_web', rolsuper: false, rolcanlogin: true },
    ]);
    const old = Object.assign(new URL(next.ownerUrl), { username: 'incassa_former_owner' }).href;
    await expect(query(old, 'SELECT 1')).rejects.toThrow('password authentication failed');
    expect(
      await query(next.superuserUrl, 'SELECT 1 FROM pg_authid WHERE rolpassword IS NULL AND rolsuper'),
    ).toHaveLength(1);
    // The owner may give the processes' logins their passwords.
    await query(next.ownerUrl, `ALTER ROLE incassa_web PASSWORD 'secret'`);
    await next.stop();
  }
}, 60_000);
