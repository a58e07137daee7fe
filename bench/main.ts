import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { apiCreation } from './api-creation/scenario';
import { ledgerGrowth } from './ledger-growth';
import { paymentLatency } from './payment-latency/scenario';
import { reconcileScale } from './reconcile-scale';
import type { Scenario, ScenarioResult } from './scenario';
import { settlementRate } from './settlement-rate/scenario';
import { startup } from './startup/scenario';

const SCENARIOS: readonly Scenario[] = [
  apiCreation,
  paymentLatency,
  startup,
  settlementRate,
  ledgerGrowth,
  reconcileScale,
];

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

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { json: { type: 'boolean' }, only: { type: 'string', multiple: true } } });
  const chosen = SCENARIOS.filter((scenario) => values.only?.includes(scenario.name) ?? true);
  if (chosen.length === 0) throw new Error(USAGE);
  const tell = (line: string) => console.error(line);
  const results: ScenarioResult[] = [];
  for (const scenario of chosen) {
    tell(`${scenario.name}…`);
    results.push(...(await scenario.run(tell)));
  }
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

main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
