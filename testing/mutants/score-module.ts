import { closeDatabase, openDatabase } from '@/lib/db/database';
import { collectMutants } from './collect';
import { DEEP_TESTS, type ModuleName, MUTATED, testsOf } from './modules';
import { type Results, readResults, writeResults } from './scores';
import type { TestRun } from './test-run';

/** Which mutants of a module are tried. The results of the others stay what they were. */
export interface Selection {
  /** Part of the name. */
  only?: string | undefined;
  /** Only those that survived the last run, or were not in it. */
  again: boolean;
  /** Also by what drives everything at once. */
  deep: boolean;
  /** Every so many of them: a sample. */
  every: number;
}

/**
 * Tries a module's mutants one after the other, tells of each and keeps what became of it.
 * @throws Error when a test that is to see them fails on the product as it is
 */
export async function scoreModule(
  root: string,
  run: TestRun,
  name: ModuleName,
  selection: Selection,
): Promise<Results> {
  const module = MUTATED[name];
  const db = openDatabase(run.server.provided.superuserUrl, { max: 1, applicationName: 'mutants' });
  const { mutants, equivalents } = await collectMutants(root, db, module).finally(() => closeDatabase(db));
  console.log(`${name}: ${mutants.length} mutants, and ${equivalents.length} that change nothing`);
  const before = readResults(root, name);
  const results: Results = {};
  const { only = '', again, deep, every } = selection;
  const chosen = mutants.filter(
    (mutant, index) => index % every === 0 && mutant.name.includes(only) && !(again && before[mutant.name]),
  );
  for (const { name: mutant } of mutants) if (before[mutant] !== undefined) results[mutant] = before[mutant];
  const filesFor = (mutant: string) => [...testsOf(module, mutant), ...(deep ? DEEP_TESTS : [])];
  await requireSound(run, [...new Set(chosen.flatMap((mutant) => filesFor(mutant.name)))]);
  for (const mutant of chosen) {
    const { killedBy, milliseconds } = await run.try(mutant, { files: filesFor(mutant.name) });
    results[mutant.name] = killedBy;
    writeResults(root, name, { ...before, ...results });
    tell(mutant.name, killedBy, milliseconds);
  }
  writeResults(root, name, results);
  return results;
}

async function requireSound(run: TestRun, files: readonly string[]): Promise<void> {
  if (files.length === 0) return;
  const { killedBy } = await run.try(null, { files });
  if (killedBy !== null) throw new Error(`A test fails without any mutant: ${killedBy}`);
}

/** Tells of one mutant what became of it. */
export function tell(mutant: string, killedBy: string | null, milliseconds: number): void {
  const time = `${(milliseconds / 1000).toFixed(1).padStart(6)} s`;
  console.log(`${time}  ${killedBy === null ? 'SURVIVED' : 'killed  '}  ${mutant}`);
  if (killedBy !== null) console.log(`                    by ${killedBy}`);
}
