import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { residentMb } from '../resident-mb';
import type { Scenario, ScenarioResult } from '../scenario';
import { type BenchInstance, startBenchInstance } from '../start-bench-instance';

const WARM_SECONDS = 15;
const REST_MS = 20_000;
const MEMORY_TARGETS_MB = { web: 300, watcher: 200, dispatcher: 200, signer: 200 } as const;

/** How long a second start takes (data and build are there), and what the processes hold at rest. */
export const startup: Scenario = {
  name: 'startup',
  async run(tell) {
    const dataDir = join(mkdtempSync(join(tmpdir(), 'incassa-bench-')), 'data');
    const first = await startBenchInstance(dataDir);
    tell(`first start: ${(first.startMs / 1000).toFixed(1)} s`);
    await first.stop({ keepData: true });
    const second = await startBenchInstance(dataDir);
    try {
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      return [warmStart(second), ...memoryAtRest(second)];
    } finally {
      await second.stop();
    }
  },
};

function warmStart({ startMs }: BenchInstance): ScenarioResult {
  const figure = Number((startMs / 1000).toFixed(1));
  const target = `< ${WARM_SECONDS} s to healthy`;
  const ratio = Number((figure / WARM_SECONDS).toFixed(2));
  return {
    name: 'warm-start',
    figure,
    unit: 's',
    bound: null,
    ratio,
    target,
    met: figure < WARM_SECONDS,
    memoryMb: null,
  };
}

function memoryAtRest({ instance }: BenchInstance): ScenarioResult[] {
  return Object.entries(MEMORY_TARGETS_MB).map(([name, limit]) => {
    const memoryMb = residentMb(instance.processes[name] ?? 0);
    if (memoryMb === null) throw new Error(`The process ${name} is gone.`);
    const ratio = Number((memoryMb / limit).toFixed(2));
    const target = `< ${limit} MB resident at rest`;
    return {
      name: `rest-${name}`,
      figure: memoryMb,
      unit: 'MB',
      bound: null,
      ratio,
      target,
      met: memoryMb < limit,
      memoryMb,
    };
  });
}
