import path from 'node:path';
import type { FullConfig } from '@playwright/test';
import getPort from 'get-port';
import { dataDirOf } from './data-dir-of';
import { startInstance } from './start-instance';

/** Runs before the first test; what it returns runs after the last. */
export default async function globalSetup(config: FullConfig): Promise<() => Promise<void>> {
  const root = path.dirname(config.configFile ?? '');
  return startInstance({ root, dataDir: dataDirOf(config), port: await getPort({ host: '127.0.0.1' }) });
}
