// @ts-check
// Runs before anything is installed: plain JavaScript, no dependency.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock } from './processes/lock-file.mjs';
import { spawnTied } from './processes/spawn-tied.mjs';

const STOP_SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Makes sure that this Node is new enough and that node_modules is what package-lock.json says. One installation at a
 * time per clone.
 *
 * @param {string} root folder of the project
 * @throws {Error} with one sentence for the person at the keyboard
 */
export async function installDependencies(root) {
  requireNode(root);
  if (isInstalled(root)) return;
  const lock = await takeLock(installLock(root));
  try {
    if (isInstalled(root)) return;
    if (lock.leftBy !== undefined) {
      console.log(`The installation that process ${lock.leftBy} began was cut off: it begins again.`);
    }
    await install(root, lock.share);
  } finally {
    lock.release();
  }
}

/** @param {string} root */
function requireNode(root) {
  const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const parts = (/** @type {string} */ text) => (text.match(/\d+/g) ?? []).map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = parts(engines.node);
  const [major = 0, minor = 0] = parts(process.versions.node);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new Error(`Incassa needs Node ${oldestMajor}.${oldestMinor} or newer; this is ${process.versions.node}.`);
}

/**
 * Where an installation of a clone names its process. Outside node_modules, which npm removes.
 *
 * @param {string} root folder of the project
 */
export function installLock(root) {
  const clone = createHash('sha256').update(path.resolve(root)).digest('hex').slice(0, 16);
  return path.join(tmpdir(), `incassa-install-${clone}.lock`);
}

/** @param {string} file @returns {Promise<import('./processes/lock-file.mjs').HeldLock>} */
async function takeLock(file) {
  for (let told = false; ; told = true) {
    const lock = tryLock(file);
    if (lock.held) return lock;
    if (!told)
      console.log(`Another start of this clone installs the packages (process ${lock.owner}): waiting for it.`);
    await sleep(300);
  }
}

/**
 * The lock file's hash, noted after an installation of ours; without the note, the file that npm itself leaves decides.
 *
 * @param {string} root
 */
function isInstalled(root) {
  const lockFile = path.join(root, 'package-lock.json');
  const { own, npm } = notes(root);
  if (existsSync(own)) return readFileSync(own, 'utf8') === hashOf(lockFile);
  return existsSync(npm) && statSync(npm).mtimeMs >= statSync(lockFile).mtimeMs;
}

/** @param {string} root */
function notes(root) {
  const modules = path.join(root, 'node_modules');
  return { own: path.join(modules, '.incassa-installed'), npm: path.join(modules, '.package-lock.json') };
}

/** @param {string} file */
function hashOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/**
 * @param {string} root
 * @param {(pid: number) => void} share names npm beside us
 */
async function install(root, share) {
  console.log('Installing the packages that package-lock.json names (npm ci)…');
  const { own, npm } = notes(root);
  // An installation that is cut off must not pass for the one before it.
  for (const note of [own, npm]) rmSync(note, { force: true });
  const code = await runNpm(root, share);
  if (code !== 0) throw new Error('npm ci failed: see its message above.');
  writeFileSync(own, hashOf(path.join(root, 'package-lock.json')));
}

/**
 * Runs `npm ci`, in a process group of its own so that a signal reaches it once, from us.
 *
 * @param {string} root
 * @param {(pid: number) => void} share
 * @returns {Promise<number>} its exit code
 */
async function runNpm(root, share) {
  const command = ['ci', '--include=dev', '--no-audit', '--no-fund'];
  const child = spawnTied(
    'npm',
    command,
    { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], detached: true },
    { signal: 'SIGTERM', patienceMs: 5_000 },
  );
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
  if (child.pid !== undefined) share(child.pid);
  /** @type {NodeJS.Signals | undefined} */
  let stoppedBy;
  const stop = (/** @type {NodeJS.Signals} */ signal) => {
    stoppedBy = signal;
    child.kill('SIGTERM');
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  const code = await ended.finally(() => {
    for (const signal of STOP_SIGNALS) process.off(signal, stop);
  });
  if (stoppedBy !== undefined) throw new Error(`${stoppedBy}: npm ci was cut off; the next start begins it again.`);
  return code;
}
