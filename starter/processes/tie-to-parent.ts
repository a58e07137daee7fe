import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Makes a foreign program (one that knows nothing of us) end when this process ends, however it ends: a shell holds the
 * read end of a pipe that only this process writes, so that even kill -9 of this process closes it.
 *
 * @param child a running child of this process
 * @param signal what the shell sends to it, e.g. SIGINT for a fast shutdown of Postgres
 */
export function tieToParent(child: ChildProcess, signal: 'SIGINT' | 'SIGTERM'): void {
  if (child.pid === undefined) return;
  const script = `read -r word; [ "$word" = done ] || kill -${signal.slice(3)} "$1" 2>/dev/null`;
  const guard = spawn('/bin/sh', ['-c', script, 'incassa-guard', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.on('error', () => undefined);
  guard.stdin?.on('error', () => undefined);
  guard.unref();
  child.once('exit', () => guard.stdin?.end('done\n'));
}
