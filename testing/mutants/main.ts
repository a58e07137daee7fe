import path from 'node:path';
import { parseArgs } from 'node:util';
import { closeDatabase, openDatabase } from '@/lib/db/database';
import { collectMutants } from './collect';
import { DEEP_TESTS, MODULES, type ModuleName, MUTATED, testsOf } from './modules';
import { type Results, readResults, scoreOf, writeResults } from './scores';
import { TestRun } from './test-run';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Of those that are not proved equivalent so many are to be killed. */
const LEAST_PERCENT = 95;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    again: { type: 'boolean', default: false },
    deep: { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
    list: { type: 'boolean', default: false },
  },
});

/** Tries a module's mutants one after the other and keeps what became of them. @returns its results */
async function score(run: TestRun, name: ModuleName): Promise<Results> {
  const module = MUTATED[name];
  const db = openDatabase(run.server.provided.superuserUrl, { max: 1, applicationName: 'mutants' });
  const { mutants, equivalents } = await collectMutants(ROOT, db, module).finally(() => closeDatabase(db));
  const before = readResults(ROOT, name);
  const isAsked = (mutant: string) =>
    (values.only === undefined || mutant.includes(values.only)) &&
    (!values.again || before[mutant] === null || !(mutant in before));
  console.log(`${name}: ${mutants.length} mutants, ${equivalents.length} proved equivalent`);
  const results: Results = {};
  const every = Number(values.every);
  for (const mutant of mutants.filter((_, index) => index % every === 0)) {
    if (values.list) console.log(`  ${mutant.name}`);
    if (values.list || !isAsked(mutant.name)) {
      if (before[mutant.name] !== undefined) results[mutant.name] = before[mutant.name] ?? null;
      continue;
    }
    const { killedBy, milliseconds } = await run.try(mutant, {
      files: [...testsOf(module, mutant.name), ...(values.deep ? DEEP_TESTS : [])],
    });
    results[mutant.name] = killedBy;
    writeResults(ROOT, name, { ...before, ...results });
    console.log(
      `${(milliseconds / 1000).toFixed(1).padStart(6)} s  ${killedBy === null ? 'SURVIVED' : 'killed  '}  ${mutant.name}${killedBy === null ? '' : `\n          by ${killedBy}`}`,
    );
  }
  if (!values.list) writeResults(ROOT, name, results);
  return results;
}

async function main(): Promise<void> {
  const names = MODULES.filter((name) => positionals.length === 0 || positionals.includes(name));
  const run = await TestRun.open(ROOT);
  try {
    for (const name of names) {
      const { killed, all, percent, survivors } = scoreOf(await score(run, name));
      for (const survivor of survivors) console.log(`${name} survived: ${survivor}`);
      console.log(`${name}: ${killed} of ${all} killed, ${percent.toFixed(1)} %`);
      if (percent < LEAST_PERCENT) process.exitCode = 1;
    }
  } finally {
    await run.close();
  }
}

await main();
