import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { platform } from 'node:os';

/** What tells one process from another that later got the same number. */
export type ProcessFacts = {
  /** Boot and clock tick (Linux) or the text of `ps` (elsewhere) at which it started; compared for equality only. */
  startedAt: string;
  /** The command line, arguments joined by spaces. */
  command: string;
  /** Its working directory, where the system shows it. */
  cwd?: string;
};

/**
 * Describes a running process.
 *
 * @param pid process number
 * @returns undefined when no such process runs (a zombie counts as gone)
 */
export function processFacts(pid: number): ProcessFacts | undefined {
  return platform() === 'linux' ? factsFromProc(pid) : factsFromPs(pid);
}

function factsFromProc(pid: number): ProcessFacts | undefined {
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

function readCwd(pid: number): { cwd?: string } {
  try {
    return { cwd: readlinkSync(`/proc/${pid}/cwd`) };
  } catch {
    return {};
  }
}

function factsFromPs(pid: number): ProcessFacts | undefined {
  try {
    const ask = (field: string) =>
      execFileSync('ps', ['-o', `${field}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();
    const startedAt = ask('lstart');
    return startedAt === '' ? undefined : { startedAt, command: ask('command') };
  } catch {
    return undefined;
  }
}
