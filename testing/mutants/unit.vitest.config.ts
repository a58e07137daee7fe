import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** Tests as StrykerJS runs them: those that need no database. */
export default defineConfig({
  root,
  resolve: { alias: { '@': root } },
  test: {
    env: { INCASSA_MODE: 'embedded' },
    include: ['lib/**/*.test.ts'],
    exclude: [...configDefaults.exclude, '**/*.integration.test.ts'],
  },
});
