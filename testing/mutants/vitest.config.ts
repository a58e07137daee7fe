import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { plantFaults } from './plant-faults';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** The most telling files come first, and they were given so. */
class AsGiven extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files;
  }
}

/** Tests as mutants meet them (`npm run mutants`): on the server that runs already, one file at a time, until the first fails. */
export default defineConfig({
  root,
  plugins: [plantFaults(root)],
  resolve: { alias: { '@': root } },
  test: {
    env: { INCASSA_MODE: 'embedded' },
    include: ['lib/**/*.test.ts', 'testing/*.test.ts', 'workers/**/*.test.ts'],
    exclude: [...configDefaults.exclude, '.next/**', '.data*/**'],
    globalSetup: ['./testing/mutants/use-server.ts'],
    bail: 1,
    maxWorkers: 1,
    fileParallelism: false,
    // One process loads the product once for all files of a mutant.
    isolate: false,
    sequence: { sequencer: AsGiven },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    provide: { model: { runs: 6, seed: 20261127 } },
  },
});
