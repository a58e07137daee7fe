import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { ScenarioResult } from './scenario';
import { SCENARIOS } from './scenarios';

const USAGE = `npm run bench [-- --json] [-- --only ${SCENARIOS.map((scenario) => scenario.name).join('|')}]`;

function row(result: ScenarioResult): Record<string, string | number> {
  return {
    scenario: result.name,
    figure: `${result.figure} ${result.unit}`,
    bound: result.bound === null ? '' : `${result.bound} ${result.unit}`,
    ratio: result.ratio,
    target: result.target,
    met: result.met ? 'yes' : 'NO',
    memoryMb: result.memoryMb ?? '',
  };
}

/** Each scenario has a process of its own: no environment, connection or heap of one reaches the figures of the next. */
async function runAlone(name: string): Promise<ScenarioResult[]> {
  console.error(`${name}…`);
  // What a child prints goes to stderr: stdout is the result's.
  const child = fork(resolve('bench/run-scenario.ts'), [name], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 2, 'inherit', 'ipc'],
  });
  let sent: unknown;
  child.once('message', (results) => {
    sent = results;
  });
  // The channel closes after its last message, which may be later than the exit.
  const [[exitCode]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  if (exitCode !== 0) throw new Error(`The scenario ${name} could not be measured.`);
  return z.array(ScenarioResult).parse(sent);
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: 'boolean' }, only: { type: 'string', multiple: true } } });
  const chosen = SCENARIOS.filter((scenario) => values.only?.includes(scenario.name) ?? true);
  if (chosen.length === 0) throw new Error(USAGE);
  const results: ScenarioResult[] = [];
  for (const { name } of chosen) results.push(...(await runAlone(name)));
  const machine = {
    cores: cpus().length,
    cpu: cpus()[0]?.model,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
  if (values.json) console.log(JSON.stringify({ machine, scenarios: results }));
  else {
    console.log(`${machine.cores} cores (${machine.cpu}), ${machine.memoryGb} GB, Node ${machine.node}`);
    console.table(results.map(row));
    for (const { name, notes = [] } of results) for (const note of notes) console.log(`${name}: ${note}`);
  }
  if (results.some((result) => !result.met)) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
