import { readdirSync, readFileSync } from 'node:fs';

/** Numbers of the processes that a process has started and that run now (Linux: it looks into /proc). */
export function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => parentOf(pid) === parent);
}

/** Stops a process and its children as they stand: its connections stay open, and nothing answers on them. */
export function freeze(pid: number): void {
  // 0, 1 and below mean groups of processes and the system's first (kill(2)).
  if (pid < 2) throw new Error(`${pid} is no process of a test's.`);
  for (const each of [pid, ...childrenOf(pid)]) process.kill(each, 'SIGSTOP');
}

/** Lets them go on. */
export function thaw(pid: number): void {
  for (const each of [pid, ...childrenOf(pid)]) process.kill(each, 'SIGCONT');
}

function parentOf(pid: number): number | undefined {
  try {
    // The name in brackets may itself hold spaces and brackets: the fields begin after the last one (proc_pid_stat(5)).
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
