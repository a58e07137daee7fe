import { execFileSync, spawnSync } from 'node:child_process';
import { StartError } from '../start-error';

/** The user that Postgres runs as when we are root, because it refuses to run as root itself. */
export type SystemUser = { uid: number; gid: number };

const NAME = 'postgres';

/**
 * Finds, or creates, the system user `postgres`.
 *
 * @returns undefined when this process is not root: Postgres then runs as the same user
 * @throws {StartError} when the user can neither be found nor created
 */
export function systemUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const found = lookUp();
  if (found !== undefined) return found;
  for (const [program, ...args] of [
    ['useradd', '--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', NAME],
    ['adduser', '-S', '-D', '-H', NAME],
  ] as const) {
    if (!succeeds(program, args)) continue;
    const created = lookUp();
    if (created !== undefined) return created;
  }
  throw new StartError(
    `Postgres does not run as root, and the user "${NAME}" cannot be created: start as an ordinary user or set DATABASE_URL.`,
  );
}

/**
 * Whether a user can enter a folder by its path, every parent included. Asked of the system itself, so that access lists
 * count too.
 *
 * @param folder absolute path
 * @param user undefined stands for the user of this process
 */
export function isPassable(folder: string, user: SystemUser | undefined): boolean {
  return spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', folder], { ...user, cwd: '/' }).status === 0;
}

function lookUp(): SystemUser | undefined {
  try {
    const ask = (flag: string) => Number(execFileSync('id', [flag, NAME], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: ask('-u'), gid: ask('-g') };
  } catch {
    return undefined;
  }
}

function succeeds(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}
