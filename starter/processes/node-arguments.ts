import path from 'node:path';

/**
 * Arguments that start a Node program which ends together with the starter.
 *
 * @param root folder of the project
 * @param program what follows `node`: for a TypeScript file, the file and its arguments; for others, the script
 */
export function nodeArguments(root: string, program: readonly string[]): string[] {
  const guard = ['--import', path.join(root, 'starter/processes/exit-with-starter.mjs')];
  const typescript = program[0]?.endsWith('.ts') ? ['--import', 'tsx'] : [];
  return [...guard, ...typescript, ...program];
}
