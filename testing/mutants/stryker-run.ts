import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { runTool } from '@/starter/processes/run-tool';
import { isEquivalent } from './equivalents';
import { type ModuleName, MUTATED } from './modules';

const Report = z.object({
  files: z.record(
    z.string(),
    z.object({
      mutants: z.array(
        z.object({
          mutatorName: z.string(),
          replacement: z.string().optional(),
          status: z.string(),
          location: z.object({ start: z.object({ line: z.number() }) }),
        }),
      ),
    }),
  ),
});

const KILLED = ['Killed', 'Timeout'];
const LEFT_OUT = ['Ignored', 'CompileError', 'RuntimeError'];

/**
 * Mutates a module's TypeScript that decides without a database (StrykerJS), and tells what its unit tests do not see.
 * @returns its score in percent
 * @throws Error when StrykerJS fails
 */
export async function mutateTypeScript(root: string, name: ModuleName): Promise<number> {
  const { sources } = MUTATED[name];
  if (sources.length === 0) return 100;
  const program = ['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', 'testing/mutants/stryker.json'];
  await runTool({
    name: 'StrykerJS',
    root,
    program: [...program, '--mutate', sources.join(',')],
    env: process.env,
  });
  const { files } = Report.parse(
    JSON.parse(readFileSync(path.join(root, 'test-results/mutants/stryker.json'), 'utf8')),
  );
  const mutants = Object.entries(files).flatMap(([file, found]) =>
    found.mutants
      .filter(({ status }) => !LEFT_OUT.includes(status))
      .map(({ mutatorName, replacement = '', status, location }) => ({
        mutant: `${file}:${location.start.line} ${mutatorName} ${replacement.replace(/\s+/g, ' ')}`,
        isKilled: KILLED.includes(status),
      })),
  );
  const counted = mutants.filter(({ mutant }) => !isEquivalent(mutant));
  const killed = counted.filter(({ isKilled }) => isKilled).length;
  for (const { mutant, isKilled } of counted) if (!isKilled) console.log(`${name} survived: ${mutant}`);
  const percent = counted.length === 0 ? 100 : (100 * killed) / counted.length;
  console.log(`${name}, TypeScript: ${killed} of ${counted.length} killed, ${percent.toFixed(1)} %`);
  return percent;
}
