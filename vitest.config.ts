import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

/** Runs of the settlement model (docs: CONTRIBUTING.md): `MODEL_RUNS=2000 npm run test:model`, `MODEL_SEED=…` repeats the runs of a failure,
 * `MODEL_SEED=random` draws new ones; `npm test` makes the same ones each time, so that it never fails by chance. */
const { MODEL_RUNS = '50', MODEL_SEED = '20261127' } = process.env;
const model = { runs: Number(MODEL_RUNS), seed: MODEL_SEED === 'random' ? null : Number(MODEL_SEED) };

const resolve = { alias: { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') } };
const INTEGRATION = '**/*.integration.test.{ts,tsx}';
/** A process that is told nothing is a production's; tests are of an instance on local chains. */
const env = { INCASSA_MODE: 'embedded' };
const ELSEWHERE = [...configDefaults.exclude, 'e2e/**', '.next/**', '.data*/**'];

export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        test: {
          name: 'unit',
          env,
          include: ['**/*.test.{ts,tsx}', '.ci/**/*.test.ts'],
          exclude: [...ELSEWHERE, INTEGRATION],
        },
      },
      {
        resolve,
        test: {
          name: 'integration',
          env,
          include: [INTEGRATION],
          exclude: ELSEWHERE,
          globalSetup: ['./testing/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          provide: { model },
        },
      },
    ],
  },
});
