import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { StartError } from '../start-error';
import { inFolder } from './in-folder';
import { newPassword, readPassword } from './password-file';
import type { SystemUser } from './system-user';

/** The cluster's superuser: makes the product's owner and its database, and is used for nothing else. */
export const SUPERUSER = 'incassa_cluster';

/** Passwords of the two logins that the starter itself uses. Each stands in a file of its own (0600) beside the cluster. */
export interface ClusterPasswords {
  superuser: string;
  owner: string;
}

/**
 * Creates the database cluster unless it is there. It grows in a folder of another name and is moved into place when
 * complete, so that an interrupted creation is simply begun again.
 *
 * @param dataDir where the cluster lives
 * @param bin folder of Postgres' programs
 * @param user whoever Postgres runs as
 * @param durable false skips the flush to disk
 * @returns the passwords; the owner's is kept in `<dataDir>.password`, the superuser's in `<dataDir>.superuser`
 * @throws {StartError} when initdb fails, or the owner's password of an existing cluster is gone
 */
export function createCluster(
  dataDir: string,
  bin: string,
  user: SystemUser | undefined,
  durable: boolean,
): ClusterPasswords {
  const ownerFile = `${dataDir}.password`;
  const superuserFile = `${dataDir}.superuser`;
  if (existsSync(path.join(dataDir, 'PG_VERSION'))) {
    const owner = readPassword(ownerFile);
    if (owner === null)
      throw new StartError(`${ownerFile} is missing or empty, so the database in ${dataDir} cannot be opened.`);
    // A cluster of an older version has none yet: its owner, a superuser then, gives it one.
    return { owner, superuser: readPassword(superuserFile) ?? newPassword(superuserFile) };
  }
  const growing = `${dataDir}.new`;
  rmSync(growing, { recursive: true, force: true });
  mkdirSync(growing, { recursive: true, mode: 0o700 });
  if (user !== undefined) chownSync(growing, user.uid, user.gid);
  const passwords = { owner: newPassword(ownerFile), superuser: newPassword(superuserFile) };
  initialise(growing, bin, user, durable, passwords.superuser);
  renameSync(growing, dataDir);
  return passwords;
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
    `--username=${SUPERUSER}`,
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
