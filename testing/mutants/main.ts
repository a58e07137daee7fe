import path from 'node:path';
import { parseArgs } from 'node:util';
import { closeDatabase, openDatabase } from '@/lib/db/database';
import { dangerousMutants } from './dangerous-mutants';
import { MODULES, type ModuleName } from './modules';
import { scoreModule, tell } from './score-module';
import { scoreOf } from './scores';
import { mutateTypeScript } from './stryker-run';
import { TestRun } from './test-run';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Of those that are not proved equivalent so many are to be killed. */
const LEAST_PERCENT = 95;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    typescript: { type: 'boolean', default: false },
    sql: { type: 'boolean', default: false },
    only: { type: 'string' },
    again: { type: 'boolean', default: false },
    deep: { type: 'boolean', default: false },
    every: { type: 'string', default: '1' },
  },
});

/** The most dangerous mutants, each against the one test that is to see it. @returns how many it did not see */
async function runShort(run: TestRun): Promise<number> {
  const db = openDatabase(run.server.provided.superuserUrl, { max: 1, applicationName: 'mutants' });
  const mutants = await dangerousMutants(ROOT, db).finally(() => closeDatabase(db));
  let survived = 0;
  for (const { made, file, testName } of mutants) {
    const { killedBy, milliseconds } = await run.try(made, { files: [file], testName });
    tell(made.name, killedBy, milliseconds);
    if (killedBy === null) survived += 1;
  }
  console.log(`${mutants.length - survived} of ${mutants.length} dangerous mutants killed`);
  return survived;
}

/** @returns whether enough was killed in each */
async function runModules(run: TestRun, names: readonly ModuleName[]): Promise<boolean> {
  let isEnough = true;
  for (const name of names) {
    const every = Number(values.every);
    const { killed, all, percent, survivors } = scoreOf(await scoreModule(ROOT, run, name, { ...values, every }));
    for (const survivor of survivors) console.log(`${name} survived: ${survivor}`);
    console.log(`${name}, SQL: ${killed} of ${all} killed, ${percent.toFixed(1)} %`);
    isEnough &&= percent >= LEAST_PERCENT;
  }
  return isEnough;
}

async function main(): Promise<void> {
  const unknown = positionals.filter((name) => MODULES.every((module) => module !== name));
  if (unknown.length > 0)
    throw new Error(`No module is called ${unknown.join(', ')}; there are ${MODULES.join(', ')}.`);
  const names = MODULES.filter((name) => positionals.length === 0 || positionals.includes(name));
  let isEnough = true;
  if (!values.typescript) {
    const run = await TestRun.open(ROOT);
    try {
      isEnough = values.short ? (await runShort(run)) === 0 : await runModules(run, names);
    } finally {
      await run.close();
    }
  }
  if (!values.short && !values.sql)
    for (const name of names) isEnough = (await mutateTypeScript(ROOT, name)) >= LEAST_PERCENT && isEnough;
  // The runner sets it for every test that fails, as the tests of a killed mutant must.
  process.exitCode = isEnough ? 0 : 1;
}

await main();
