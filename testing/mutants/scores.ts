import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ModuleName } from './modules';

/** What became of a module's mutants, by name: the test that saw it, or null. */
export type Results = Record<string, string | null>;

/** Where the results of the last run of a module are kept (git-ignored). */
const fileOf = (root: string, module: ModuleName) => path.join(root, 'test-results', 'mutants', `${module}.json`);

export function readResults(root: string, module: ModuleName): Results {
  try {
    return JSON.parse(readFileSync(fileOf(root, module), 'utf8')) as Results;
  } catch {
    return {};
  }
}

export function writeResults(root: string, module: ModuleName, results: Results): void {
  const file = fileOf(root, module);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
}

/** Killed, of how many, in percent; and the names of those that no test saw. */
export function scoreOf(results: Results): { killed: number; all: number; percent: number; survivors: string[] } {
  const survivors = Object.keys(results).filter((name) => results[name] === null);
  const all = Object.keys(results).length;
  const killed = all - survivors.length;
  return { killed, all, percent: all === 0 ? 100 : (100 * killed) / all, survivors };
}
