import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import { type StopInstance, startInstance } from '@/e2e/support/start-instance';
import { type Instance, readInstance } from '@/starter/instance';

export interface BenchInstance {
  instance: Instance;
  /** From the start to the first healthy answer. */
  startMs: number;
  stop: StopInstance;
}

/** A whole instance as `npm start` makes it, in its default configuration, with a folder and a port of its own. */
export async function startBenchInstance(
  dataDir = join(mkdtempSync(join(tmpdir(), 'incassa-bench-')), 'data'),
): Promise<BenchInstance> {
  const port = await getPort({ host: '127.0.0.1' });
  const begun = performance.now();
  const env = { LOG_LEVEL: 'info', ETH_CONFIRMATIONS: '1' };
  const stop = await startInstance({ root: process.cwd(), dataDir, port, env });
  return { instance: readInstance(dataDir), startMs: performance.now() - begun, stop };
}
