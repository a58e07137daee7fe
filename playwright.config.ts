import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig } from '@playwright/test';

/** Where the instance under test keeps its data. Workers inherit it; Postgres, another user, must be able to reach it. */
process.env.E2E_DATA_DIR ??= path.join(tmpdir(), `incassa-e2e-${process.pid}`);

/** The browser of the machine: nothing is downloaded. The switches keep it from calling home, which costs seconds offline. */
const launchOptions = {
  executablePath: process.env.CHROMIUM_PATH || '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-quic',
  ],
};

/**
 * End to end against a whole instance: started by `npm start`'s own code before the first test, stopped after the last.
 * Tests share it and nothing else; those that kill processes or move the chain's clock run alone, after the others.
 */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  globalSetup: './e2e/support/global-setup.ts',
  metadata: { dataDir: process.env.E2E_DATA_DIR },
  reporter: [['list']],
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  retries: 0,
  // On a machine that has other work too: nothing here is slow by itself.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    locale: 'it-IT',
    timezoneId: 'Europe/Rome',
    launchOptions,
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'shared', testIgnore: /\.(alone|last)\.spec\.ts$/ },
    { name: 'alone', testMatch: /\.alone\.spec\.ts$/, dependencies: ['shared'], workers: 1 },
    { name: 'last', testMatch: /\.last\.spec\.ts$/, dependencies: ['alone'], workers: 1 },
  ],
});
