import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock } from '../processes/lock-file.mjs';

/**
 * Does something that writes into the clone (generated code, `.next`) while no other starter or test run does.
 *
 * @param root folder of the project
 * @param tell receives one line when it has to wait
 */
export async function withBuildLock<T>(root: string, tell: (line: string) => void, work: () => Promise<T>): Promise<T> {
  const file = path.join(root, 'node_modules', '.incassa', 'build.lock');
  for (let told = false; ; told = true) {
    const lock = tryLock(file);
    if (lock.held) return work().finally(() => lock.release());
    if (!told) tell(`another start of this clone builds (process ${lock.owner}); waiting for it`);
    await sleep(300);
  }
}
