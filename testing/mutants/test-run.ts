import path from 'node:path';
import { inspect } from 'node:util';
import { createVitest, type TestModule, type TestSpecification, type Vitest } from 'vitest/node';
import { type MutantServer, startMutantServer } from './database-server';
import type { Mutant } from './mutant';
import { SERVER_VARIABLE, SOURCE_VARIABLE, STATEMENT_VARIABLE } from './mutant-environment';

/** What became of a mutant: who saw it, or that nobody did. */
export interface Fate {
  /** Test that failed, with its file; null when none did. */
  killedBy: string | null;
  milliseconds: number;
}

/** Which tests are run: parts of paths, and of names. */
export interface Chosen {
  files: readonly string[];
  testName?: string;
}

function openVitest(root: string): Promise<Vitest> {
  const config = path.join(root, 'testing/mutants/vitest.config.ts');
  return createVitest('test', { root, config, watch: false, reporters: [{}] });
}

function failureOf(testModule: TestModule): string | null {
  for (const test of testModule.children.allTests('failed')) return `${testModule.relativeModuleId}: ${test.fullName}`;
  if (testModule.state() !== 'failed') return null;
  return `${testModule.relativeModuleId}: ${String(testModule.errors()[0]?.message ?? 'a hook')}`;
}

/** Runs tests again and again in one process: on the product as it is, and on mutants of it. */
export class TestRun {
  readonly #root: string;
  readonly server: MutantServer;
  #vitest: Vitest;
  /** The file of which what was loaded has a fault: its text is kept by the runner. */
  #spoilt: string | null = null;

  private constructor(root: string, vitest: Vitest, server: MutantServer) {
    this.#root = root;
    this.#vitest = vitest;
    this.server = server;
  }

  static async open(root: string): Promise<TestRun> {
    // Of imports without an extension, which TypeScript resolves here as everywhere else.
    process.env.VITE_CONFIG_NATIVE_IGNORE_WARNING = 'true';
    const server = await startMutantServer(root);
    process.env[SERVER_VARIABLE] = JSON.stringify(server.provided);
    return new TestRun(root, await openVitest(root), server);
  }

  /** Plants a mutant, or nothing, and runs tests until the first fails. */
  async try(mutant: Pick<Mutant, 'change'> | null, chosen: Chosen): Promise<Fate> {
    const began = performance.now();
    await this.#plant(mutant);
    const killedBy = await this.#run(chosen);
    return { killedBy, milliseconds: Math.round(performance.now() - began) };
  }

  async close(): Promise<void> {
    await this.#vitest.close();
    await this.server.stop();
  }

  async #plant(mutant: Pick<Mutant, 'change'> | null): Promise<void> {
    const change = mutant?.change;
    const isStatement = change?.kind === 'statement';
    process.env[STATEMENT_VARIABLE] = JSON.stringify(isStatement ? { name: change.statement, text: change.text } : {});
    const source = change?.kind === 'source' ? change : null;
    process.env[SOURCE_VARIABLE] = JSON.stringify(source ?? {});
    if (this.#spoilt !== (source?.file ?? null) || source) {
      await this.#vitest.close();
      this.#vitest = await openVitest(this.#root);
    }
    this.#spoilt = source?.file ?? null;
    await this.server.plant(change?.kind === 'database' ? change.sql : null);
  }

  async #run({ files, testName }: Chosen): Promise<string | null> {
    const specifications = await this.#inOrder(files);
    if (specifications.length === 0) throw new Error(`No test file is called like ${files.join(', ')}.`);
    if (testName === undefined) this.#vitest.resetGlobalTestNamePattern();
    else this.#vitest.setGlobalTestNamePattern(testName);
    const { failure, ran } = await this.#outcome(specifications);
    if (failure === null && ran === 0) throw new Error(`No test of ${files.join(', ')} is called like ${testName}.`);
    return failure;
  }

  /** The first failure, and how many tests passed. */
  async #outcome(specifications: TestSpecification[]): Promise<{ failure: string | null; ran: number }> {
    // What earlier runs left there would be told again.
    this.#vitest.state.filesMap.clear();
    this.#vitest.state.clearErrors();
    const { testModules, unhandledErrors } = await this.#vitest.runTestSpecifications(specifications, false);
    const ran = testModules.flatMap(({ children }) => [...children.allTests('passed')]).length;
    const outside = unhandledErrors.length > 0 ? `an error outside of a test: ${inspect(unhandledErrors[0])}` : null;
    return { failure: testModules.map(failureOf).find((failure) => failure !== null) ?? outside, ran };
  }

  async #inOrder(files: readonly string[]): Promise<TestSpecification[]> {
    const all = await this.#vitest.globTestSpecifications();
    const found = files.flatMap((file) =>
      all.filter(({ moduleId }) => path.relative(this.#root, moduleId).startsWith(file)),
    );
    return [...new Set(found)];
  }
}
