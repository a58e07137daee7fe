import type { ChainDefinition } from '@/lib/chains/definition';
import { CHAIN_DEFINITIONS } from '@/lib/chains/registry';
import { chainVariable } from '@/lib/config/chain-variables';
import { CHAIN_INFO } from '@/lib/shared/chains';

const BEGIN = '# chains: written by `npm run configuration`, from here';
const END = '# chains: to here';

/** The files that name the variables of chains, each with the text for one chain. */
export const CONFIGURATION_FILES: readonly { file: string; describe: (definition: ChainDefinition) => string[] }[] = [
  { file: '.env.example', describe: exampleLines },
  { file: 'docker-compose.yml', describe: composeLines },
];

/**
 * A configuration file with the variables of every chain that the product reads.
 * @param text the file as it is; what stands between its two marks is replaced, with the indentation of the first one
 * @param describe what to write for one chain
 * @throws Error when a mark is missing
 */
export function withChains(text: string, describe: (definition: ChainDefinition) => string[]): string {
  const lines = text.split('\n');
  const begin = lines.findIndex((line) => line.trim() === BEGIN);
  const end = lines.findIndex((line) => line.trim() === END);
  if (begin < 0 || end < begin) throw new Error(`The file has no lines "${BEGIN}" and "${END}".`);
  const indentation = ' '.repeat(lines[begin]?.search(/\S/) ?? 0);
  const written = CHAIN_DEFINITIONS.flatMap(describe).map((line) => `${indentation}${line}`);
  return [...lines.slice(0, begin + 1), ...written, ...lines.slice(end)].join('\n');
}

/** Comments stand above the variable: not every reader of .env files takes one after an empty value for a comment. */
function exampleLines(definition: ChainDefinition): string[] {
  const defaults = definition.variables.parse({});
  const variables = Object.entries(definition.variables.shape).flatMap(([name, schema]) => [
    `# ${(schema as { description?: string }).description ?? ''}`,
    `${chainVariable(definition, name)}=${asText(defaults[name])}`,
  ]);
  return [`# ${CHAIN_INFO[definition.chain].network}`, ...variables];
}

/** An empty value counts as none, so that each default is decided by the schema alone. */
function composeLines(definition: ChainDefinition): string[] {
  const names = Object.keys(definition.variables.shape).map((name) => chainVariable(definition, name));
  return names.map((name) => `${name}: \${${name}:-}`);
}

function asText(value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return String(value ?? '');
}
