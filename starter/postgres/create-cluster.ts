import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { StartError } from '../start-error';
import { inFolder } from './in-folder';
import type { SystemUser } from './system-user';

/** Name of the cluster's owner: the login that migrates and that no running process of the product uses. */
export const OWNER = 'incassa_owner';

/**
 * Creates the database cluster unless it is there. It grows in a folder of another name and is moved into place when
 * complete, so that an interrupted creation is simply begun again.
 *
 * @param dataDir where the cluster lives
 * @param bin folder of Postgres' programs
 * @param user whoever Postgres runs as
 * @param durable false skips the flush to disk
 * @returns the owner's password, kept (0600) in `<dataDir>.password`
 * @throws {StartError} when initdb fails, or the password of an existing cluster is gone
 */
export function createCluster(dataDir: string, bin: string, user: SystemUser | undefined, durable: boolean): string {
  const passwordFile = `${dataDir}.password`;
  if (existsSync(path.join(dataDir, 'PG_VERSION'))) {
    if (existsSync(passwordFile)) return readFileSync(passwordFile, 'utf8').trim();
    throw new StartError(`${passwordFile} is missing, so the database in ${dataDir} cannot be opened.`);
  }
  const growing = `${dataDir}.new`;
  rmSync(growing, { recursive: true, force: true });
  mkdirSync(growing, { recursive: true, mode: 0o700 });
  if (user !== undefined) chownSync(growing, user.uid, user.gid);
  const password = randomBytes(24).toString('base64url');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  initialise(growing, bin, user, durable, password);
  renameSync(growing, dataDir);
  return password;
}

function initialise(
  folder: string,
  bin: string,
  user: SystemUser | undefined,
  durable: boolean,
  password: string,
): void {
  const handover = mkdtempSync(path.join(tmpdir(), 'incassa-initdb-'));
  const passwordFile = path.join(handover, 'password');
  try {
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    if (user !== undefined) for (const owned of [handover, passwordFile]) chownSync(owned, user.uid, user.gid);
    const { pgdata, options } = inFolder(folder, user);
    const command = initdbArguments(pgdata, passwordFile, durable);
    const result = spawnSync(path.join(bin, 'initdb'), command, { ...options, encoding: 'utf8' });
    if (result.status === 0) return;
    const reason = result.error?.message ?? result.stderr.trim().split('\n').at(-1);
    throw new StartError(`The database cannot be created in ${folder}: ${reason}`);
  } finally {
    rmSync(handover, { recursive: true, force: true });
  }
}

/** The builtin C.UTF-8 sorts the same on every machine, whatever locales it has. */
function initdbArguments(pgdata: string, passwordFile: string, durable: boolean): string[] {
  return [
    `--pgdata=${pgdata}`,
    `--username=${OWNER}`,
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--no-locale',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(durable ? [] : ['--no-sync']),
  ];
}
