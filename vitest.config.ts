import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

const resolve = { alias: { '@': fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '') } };
const INTEGRATION = '**/*.integration.test.{ts,tsx}';
const ELSEWHERE = [...configDefaults.exclude, 'e2e/**', '.next/**', '.data*/**'];

export default defineConfig({
  test: {
    projects: [
      {
        resolve,
        test: {
          name: 'unit',
          include: ['**/*.test.{ts,tsx}', '.ci/**/*.test.ts'],
          exclude: [...ELSEWHERE, INTEGRATION],
        },
      },
      {
        resolve,
        test: {
          name: 'integration',
          include: [INTEGRATION],
          exclude: ELSEWHERE,
          globalSetup: ['./lib/testing/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
