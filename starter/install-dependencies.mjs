// Runs before anything is installed: plain JavaScript, no dependency.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const OLDEST_NODE = [20, 19];

/**
 * Makes sure that this Node is new enough and that node_modules is what package-lock.json says.
 * @param {string} root folder of the project
 * @throws {Error} with one sentence for the person at the keyboard
 */
export async function installDependencies(root) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
    throw new Error(`Incassa needs Node ${OLDEST_NODE.join('.')} or newer; this is ${process.versions.node}.`);
  }
  if (isInstalled(root)) return;
  const release = await lock(root);
  try {
    if (!isInstalled(root)) install(root);
  } finally {
    release();
  }
}

/** The lock file's hash, noted after an installation of ours; without the note, the file that npm itself leaves decides. */
function isInstalled(root) {
  const lockFile = path.join(root, 'package-lock.json');
  const note = path.join(root, 'node_modules', '.incassa-installed');
  const npmNote = path.join(root, 'node_modules', '.package-lock.json');
  if (existsSync(note)) return readFileSync(note, 'utf8') === hashOf(lockFile);
  return existsSync(npmNote) && statSync(npmNote).mtimeMs >= statSync(lockFile).mtimeMs;
}

function hashOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function install(root) {
  console.log('Installing the packages that package-lock.json names (npm ci)…');
  const command = ['ci', '--include=dev', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', command, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error('npm ci failed: see its message above.');
  writeFileSync(path.join(root, 'node_modules', '.incassa-installed'), hashOf(path.join(root, 'package-lock.json')));
}

/** One installation at a time per clone. A lock that stands longer than any installation was left by a dead one. */
async function lock(root) {
  const folder = path.join(tmpdir(), `incassa-install-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`);
  for (;;) {
    try {
      mkdirSync(folder);
      return () => rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    try {
      if (Date.now() - statSync(folder).mtimeMs > 15 * 60_000) rmSync(folder, { recursive: true, force: true });
    } catch {
      continue;
    }
    await sleep(500);
    if (isInstalled(root)) return () => undefined;
  }
}
