import { platform } from 'node:os';
import { StartError } from '../start-error';
import { isPassable, type SystemUser } from './system-user';

/** How to name a data folder to Postgres, and how to start the program that is to find it. */
type InFolder = {
  pgdata: string;
  options: { cwd: string; uid?: number; gid?: number; env: NodeJS.ProcessEnv };
};

/**
 * Prepares the start of a Postgres program on a data folder, also where the folder's parents are closed to the user that
 * Postgres runs as (a clone below /root). The working directory is entered before root is given up, and Linux names it
 * `/proc/self/cwd` without walking its parents.
 *
 * @param folder the data folder, owned by that user
 * @param user whoever the program runs as
 * @throws {StartError} where the folder is closed to that user and the system has no such name
 */
export function inFolder(folder: string, user: SystemUser | undefined): InFolder {
  const { PATH, NODE_ENV } = process.env;
  const env: NodeJS.ProcessEnv = { PATH, NODE_ENV, LC_ALL: 'C', TZ: 'UTC' };
  const options = { ...user, cwd: folder, env };
  if (isPassable(folder, user)) return { pgdata: folder, options };
  if (platform() === 'linux') return { pgdata: '/proc/self/cwd', options };
  throw new StartError(
    `Postgres, which does not run as root, may not enter ${folder}: choose a DATA_DIR that the user postgres can reach.`,
  );
}
