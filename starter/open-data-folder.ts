import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { StartError } from './start-error';

/**
 * Creates the data folder and makes sure that it can be written. Others may pass through it but not list it: Postgres,
 * which runs as another user when we are root, has its folder inside.
 *
 * @returns the folder for what belongs to the running instance
 * @throws {StartError} when it cannot be created or written
 */
export function openDataFolder(dataDir: string): string {
  const run = path.join(dataDir, 'run');
  try {
    createFolder(dataDir, 0o711);
    createFolder(run, 0o700);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    accessSync(run, constants.W_OK | constants.X_OK);
    return run;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new StartError(`DATA_DIR ${dataDir} cannot be written (${code}): choose another folder.`);
  }
}

/** Step by step: Node's own `recursive` never returns where the system says that an existing parent does not exist (/proc). */
function createFolder(folder: string, mode: number): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (path.dirname(folder) !== folder) createFolder(path.dirname(folder), 0o755);
  mkdirSync(folder, { mode });
}
