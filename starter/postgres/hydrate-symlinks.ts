import { readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

const links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Creates the symbolic links of Postgres' libraries. npm packages cannot hold links, so the package lists them in
 * `pg-symlinks.json` for an install script, which this project does not let run.
 *
 * @param nativeFolder the package's `native` folder, or a copy of it
 * @throws {Error} with the system's code (EACCES, EROFS) when the folder cannot be written
 */
export function hydrateSymlinks(nativeFolder: string): void {
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
