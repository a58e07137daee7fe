import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { knownStatements } from '@/lib/db/statement';
import type { MutatedModule } from './modules';
import type { Mutant } from './mutant';
import { type Faulty, withoutConditions } from './sql-conditions';
import { withoutAssignments, withoutBranches, withoutLocks, withSwaps } from './sql-swaps';

/** A statement's text with its parameters by name, as it was declared. */
export interface NamedStatement {
  name: string;
  text: string;
}

/** Gives every parameter its own name as its value. */
const NAMES: object = new Proxy({}, { has: () => true, get: (_, name) => name });

/** Loads the repositories of some domains. @returns every statement that they declare */
export async function readStatements(root: string, domains: readonly string[]): Promise<NamedStatement[]> {
  for (const domain of domains) {
    const folder = path.join(root, 'lib', domain);
    const repositories = (await readdir(folder)).filter((file) => /repository\.ts$/.test(file));
    for (const file of repositories) await import(pathToFileURL(path.join(folder, file)).href);
  }
  return knownStatements().map(({ name, bind }) => {
    const { text, values } = bind(NAMES as never);
    return {
      name,
      text: text.replace(/\$(\d+)/g, (_: string, number: string) => `$${String(values[Number(number) - 1])}`),
    };
  });
}

/** All that is mutated in a text of SQL. */
export function mutationsOf(sql: string): Faulty[] {
  return [withoutConditions, withoutLocks, withSwaps, withoutAssignments, withoutBranches].flatMap((mutate) =>
    mutate(sql),
  );
}

/** Mutants of a module's statements. */
export function statementMutants(module: MutatedModule, statements: readonly NamedStatement[]): Mutant[] {
  return statements
    .filter(({ name }) => module.statements.test(name))
    .flatMap(({ name: statement, text }) =>
      mutationsOf(text).map((faulty) => ({
        name: `${statement}: ${faulty.fault}`,
        module: module.name,
        change: { kind: 'statement' as const, statement, text: faulty.text },
      })),
    );
}
