// `npm test`: every check, in order, each with its time. No dependency of its own.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDependencies } from '../starter/install-dependencies.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const MINUTE = 60_000;

/** A tool from node_modules, started without a shell and without npx. */
const tool = (file, ...args) => [path.join('node_modules', file), ...args];
const script = (file, ...args) => ['--import', 'tsx', file, ...args];

const dockerFiles = ['docker-compose.yml', 'docker-compose.yaml'].filter((file) => existsSync(path.join(root, file)));

/** name, arguments of node, limit, and the step without which it makes no sense. */
const STEPS = [
  { name: 'prisma generate', run: tool('prisma/build/index.js', 'generate'), limit: 2 * MINUTE },
  { name: 'biome', run: tool('@biomejs/biome/bin/biome', 'check', '.'), limit: 2 * MINUTE },
  { name: 'types', run: tool('typescript/bin/tsc', '--noEmit'), limit: 5 * MINUTE },
  { name: 'boundaries', run: tool('dependency-cruiser/bin/dependency-cruise.mjs', ...boundaries()), limit: 3 * MINUTE },
  { name: 'unused', run: tool('knip/bin/knip.js', '--no-progress'), limit: 3 * MINUTE },
  { name: 'unit', run: tool('vitest/vitest.mjs', 'run', '--project', 'unit'), limit: 10 * MINUTE },
  { name: 'integration', run: tool('vitest/vitest.mjs', 'run', '--project', 'integration'), limit: 15 * MINUTE },
  { name: 'mutants', run: script('testing/mutants/main.ts', '--short'), limit: 5 * MINUTE },
  { name: 'schema drift', run: script('.ci/check-drift.ts'), limit: 3 * MINUTE },
  { name: 'dockerfile', run: tool('dockerfile-utils/bin/dockerfile-utils', 'lint', 'Dockerfile'), limit: MINUTE },
  {
    name: 'compose file',
    // The image is built once under the name that the other services use: both keys are meant.
    run: tool('dclint/bin/dclint.cjs', ...dockerFiles, '--quiet', '--disable-rule', 'no-build-and-image'),
    limit: MINUTE,
  },
  { name: 'next build', run: script('starter/build/main.ts'), limit: 10 * MINUTE },
  { name: 'e2e', run: tool('@playwright/test/cli.js', 'test'), limit: 20 * MINUTE, needs: 'next build' },
];

/** What package.json's own script looks at, so that there is one list. */
function boundaries() {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return scripts.boundaries.split(' ').slice(1);
}

function runStep({ run, limit }) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, run, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
    const timer = setTimeout(() => {
      console.error(`not done after ${limit / MINUTE} minutes`);
      child.kill('SIGTERM');
      setTimeout(() => child.kill('SIGKILL'), 20_000).unref();
    }, limit);
    const stop = (signal) => child.kill(signal);
    process.on('SIGTERM', stop);
    child.once('error', (error) => {
      console.error(error.message);
      resolve(false);
    });
    child.once('exit', (code) => {
      clearTimeout(timer);
      process.off('SIGTERM', stop);
      resolve(code === 0);
    });
  });
}

const seconds = (since) => ((performance.now() - since) / 1000).toFixed(1).padStart(6);

async function main() {
  await installDependencies(root);
  const results = new Map();
  const begun = performance.now();
  for (const step of STEPS) {
    console.log(`\n── ${step.name} ${'─'.repeat(Math.max(4, 60 - step.name.length))}`);
    const since = performance.now();
    const possible = step.needs === undefined || results.get(step.needs)?.passed === true;
    if (!possible) console.log(`not possible: "${step.needs}" failed`);
    results.set(step.name, { passed: possible && (await runStep(step)), time: seconds(since) });
  }
  console.log('');
  for (const [name, { passed, time }] of results) console.log(`${time} s  ${passed ? 'passed' : 'FAILED'}  ${name}`);
  console.log(`${seconds(begun)} s  in all`);
  const failed = [...results.values()].filter(({ passed }) => !passed).length;
  console.log(`${results.size - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

main().catch((error) => {
  console.error(error.message);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
});
