// @ts-check
// Used before anything is installed: plain JavaScript, no dependency.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isSameProcess, processFacts } from './process-facts.mjs';

/**
 * @typedef {{ pid: number, startedAt: string, command: string }} Owner
 *
 * @typedef {object} HeldLock
 * @property {true} held
 * @property {number | undefined} leftBy the dead process that it was taken over from
 * @property {(pid: number) => void} share names a process that works under the lock too: it holds until both have ended
 * @property {() => void} release
 *
 * @typedef {HeldLock | { held: false, owner: number }} Outcome
 */

/**
 * Takes a lock that dies with its process: one whose owners no longer run is taken over.
 *
 * @param {string} file the lock; its folder is created
 * @returns {Outcome} the lock, or the process that holds it
 */
export function tryLock(file) {
  mkdirSync(path.dirname(file), { recursive: true });
  let text = ownersText([process.pid]);
  /** @type {number | undefined} */
  let leftBy;
  for (;;) {
    try {
      writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
      break;
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
    const found = readText(file);
    const owners = parseOwners(found);
    const alive = owners.find((owner) => isSameProcess(owner, processFacts(owner.pid)));
    if (alive !== undefined) return { held: false, owner: alive.pid };
    leftBy = owners[0]?.pid;
    setAside(file, found);
  }
  return {
    held: true,
    leftBy,
    share: (pid) => {
      const shared = ownersText([process.pid, pid]);
      writeFileSync(`${file}.new`, shared, { mode: 0o600 });
      renameSync(`${file}.new`, file);
      text = shared;
    },
    release: () => {
      if (readText(file) === text) rmSync(file, { force: true });
    },
  };
}

/** @param {number[]} pids @returns {string} */
function ownersText(pids) {
  return JSON.stringify(
    pids.map((pid) => {
      const facts = processFacts(pid);
      return { pid, startedAt: facts?.startedAt ?? '', command: facts?.command ?? '' };
    }),
  );
}

/**
 * Moves a dead lock away in one step; should a new owner have come in between, its lock is put back.
 *
 * @param {string} file
 * @param {string | undefined} found
 * @throws {Error} the system's, when the lock may not be moved (another user's, in a folder for all): it would never be had
 */
function setAside(file, found) {
  const aside = `${file}.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  if (readText(aside) === found) rmSync(aside, { force: true });
  else renameSync(aside, file);
}

/** @param {unknown} error @param {string} code */
function hasCode(error, code) {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** @param {string} file @returns {string | undefined} */
function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** @param {string | undefined} text @returns {Owner[]} none where the file was cut short */
function parseOwners(text) {
  try {
    /** @type {unknown} */
    const parsed = JSON.parse(text ?? '');
    const list = [parsed].flat();
    return list.every(isOwner) ? list : [];
  } catch {
    return [];
  }
}

/** @param {unknown} value @returns {value is Owner} */
function isOwner(value) {
  if (typeof value !== 'object' || value === null) return false;
  if (!('pid' in value && 'startedAt' in value && 'command' in value)) return false;
  return Number.isSafeInteger(value.pid) && typeof value.startedAt === 'string' && typeof value.command === 'string';
}
