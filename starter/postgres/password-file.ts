import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * Makes a password and keeps it in a file that only this user reads. The file is whole or not there, whenever the machine stops.
 *
 * @returns the password: 32 characters that need no quoting in a URL
 */
export function newPassword(file: string): string {
  const password = randomBytes(24).toString('base64url');
  const growing = `${file}.new`;
  const handle = openSync(growing, 'w', 0o600);
  try {
    writeFileSync(handle, `${password}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(growing, file);
  return password;
}

/** @returns the password that a file keeps, or null when it is missing or empty (as older versions could leave it) */
export function readPassword(file: string): string | null {
  return (existsSync(file) && readFileSync(file, 'utf8').trim()) || null;
}
