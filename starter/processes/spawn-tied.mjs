// @ts-check
// Used before anything is installed: plain JavaScript, no dependency.
import { spawn } from 'node:child_process';

/**
 * What the guard does, in POSIX sh: reads the child's number, then waits for the word "done". When the pipe closes without
 * it, our end was not an orderly one, and the child is ended. Its start time (field 22 of proc_pid_stat(5), where there is
 * a /proc) tells it from a later process with the same number.
 */
const GUARD = `
born() {
  [ -r "/proc/$pid/stat" ] || return
  read -r stat < "/proc/$pid/stat" || return
  set -- \${stat##*)}
  echo "\${20}"
}
lives() { kill -0 "$pid" && [ "$(born)" = "$birth" ]; }
read -r pid || exit 0
birth=$(born)
read -r word
[ "$word" = done ] && exit 0
lives && kill -s "$1" "$pid"
rounds=0
while lives && [ "$rounds" -lt "$2" ]; do sleep 0.2; rounds=$((rounds + 1)); done
lives && kill -s KILL "$pid"
`;

/**
 * @typedef {object} Tie
 * @property {'SIGINT' | 'SIGTERM'} signal what asks the child to end when this process is gone, e.g. SIGINT for a fast
 *   shutdown of Postgres
 * @property {number} patienceMs how long it may take after that; then it is killed
 */

/**
 * Starts a program that does not outlive this process, however this one ends and in whatever state that one is: a shell
 * of its own holds the read end of a pipe that only this process writes, so that even kill -9 of this process closes it.
 * The shell stands ready before the program starts.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options as for `spawn`
 * @param {Tie} tie
 * @returns {import('node:child_process').ChildProcess}
 */
export function spawnTied(program, args, options, tie) {
  const rounds = String(Math.ceil(tie.patienceMs / 200));
  const guard = spawn('/bin/sh', ['-c', GUARD, 'incassa-guard', tie.signal.slice(3), rounds], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  const child = spawn(program, args, options);
  if (child.pid === undefined) guard.stdin.end();
  else guard.stdin.write(`${child.pid}\n`);
  child.once('exit', () => guard.stdin.end('done\n'));
  return child;
}

/** How a Node program of ours ends: a worker needs up to five seconds after SIGTERM. */
const NODE_TIE = /** @type {const} */ ({ signal: 'SIGTERM', patienceMs: 7_000 });

/**
 * Starts a Node program of ours that does not outlive this process.
 *
 * @param {string} root folder of the project, where it runs
 * @param {readonly string[]} program what follows `node`: for a TypeScript file, the file and its arguments; for others,
 *   the script
 * @param {import('node:child_process').SpawnOptions} options as for `spawn`
 * @returns {import('node:child_process').ChildProcess}
 */
export function spawnNode(root, program, options) {
  const typescript = program[0]?.endsWith('.ts') ? ['--import', 'tsx'] : [];
  return spawnTied(process.execPath, [...typescript, ...program], { ...options, cwd: root }, NODE_TIE);
}
