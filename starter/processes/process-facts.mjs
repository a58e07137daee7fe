// @ts-check
// Used before anything is installed: plain JavaScript, no dependency.
import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { platform } from 'node:os';

/**
 * What tells one process from another that later got the same number.
 *
 * @typedef {object} ProcessFacts
 * @property {string} startedAt boot and clock tick (Linux) or the text of `ps` (elsewhere) at which it started; compared
 *   for equality only
 * @property {string} command the command line, arguments joined by spaces
 * @property {string} [cwd] its working directory, where the system shows it
 */

/**
 * Describes a running process.
 *
 * @param {number} pid process number
 * @returns {ProcessFacts | undefined} undefined when no such process runs (a zombie counts as gone)
 */
export function processFacts(pid) {
  return platform() === 'linux' ? factsFromProc(pid) : factsFromPs(pid);
}

/** `next start` and npm rename themselves (process.title), which replaces their command line. */
const RETITLED = /^(?:next-server|npm)\b/;

/**
 * Whether the process that now has a noted number is the one that was noted: never signal one for which this is false.
 *
 * @param {Pick<ProcessFacts, 'startedAt' | 'command'>} noted what was written down when it started
 * @param {ProcessFacts | undefined} now what runs under that number at this moment, if anything does
 * @returns {boolean}
 */
export function isSameProcess(noted, now) {
  if (now === undefined || now.startedAt !== noted.startedAt) return false;
  return now.command === noted.command || RETITLED.test(now.command);
}

/** @param {number} pid @returns {ProcessFacts | undefined} */
function factsFromProc(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may itself hold spaces and brackets: the fields begin after the last one (proc_pid_stat(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state] = fields;
    const ticks = fields[19];
    if (ticks === undefined || state === 'Z' || state === 'X') return undefined;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
    return { startedAt: `${boot}/${ticks}`, command, ...readCwd(pid) };
  } catch {
    return undefined;
  }
}

/** @param {number} pid @returns {{ cwd?: string }} */
function readCwd(pid) {
  try {
    return { cwd: readlinkSync(`/proc/${pid}/cwd`) };
  } catch {
    return {};
  }
}

/** @param {number} pid @returns {ProcessFacts | undefined} */
function factsFromPs(pid) {
  try {
    const ask = (/** @type {string} */ field) =>
      execFileSync('ps', ['-o', `${field}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();
    const startedAt = ask('lstart');
    return startedAt === '' ? undefined : { startedAt, command: ask('command') };
  } catch {
    return undefined;
  }
}
