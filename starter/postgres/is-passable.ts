import { spawnSync } from 'node:child_process';
import type { SystemUser } from './system-user';

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
