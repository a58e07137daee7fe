import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { StoredFunction } from './database-mutants';
import type { ModuleName } from './modules';
import type { Mutant } from './mutant';
import type { NamedStatement } from './statement-mutants';

/** A fault that no rule makes: in a place some words are others. */
interface NamedMutant {
  name: string;
  module: ModuleName;
  /** A statement's name, a function's in the database, or a file from the root. */
  place: { statement: string } | { function: string } | { file: string };
  find: string;
  by: string;
}

/** Faults that were made by hand once and that no test saw. */
const NAMED: readonly NamedMutant[] = [
  {
    name: 'finality falls when a node that lags tells an older one',
    module: 'chain-sync',
    place: { file: 'lib/chain-sync/cursor.ts' },
    find: 'told === null || (before !== null && before > told) ? before : told',
    by: 'told === null ? before : told',
  },
  {
    name: "a watcher's pause takes the place of an operator's",
    module: 'chain-sync',
    place: { statement: 'chain-sync.set-pause' },
    find: 'paused_reason IS NULL OR paused_reason = ANY($own::text[])',
    by: '$own::text[] IS NOT NULL',
  },
  {
    name: 'a chain that an operator stopped is read on',
    module: 'chain-sync',
    place: { file: 'lib/chain-sync/record-blocks.ts' },
    find: "if (isStoppedByOperator(cursor)) return { kind: 'paused' };",
    by: '',
  },
  {
    name: 'a roll-back keeps the blocks that were replaced',
    module: 'chain-sync',
    place: { file: 'lib/chain-sync/cursor-repository.ts' },
    find: 'aboveHeight: height });',
    by: 'aboveHeight: height + 1_000_000n });',
  },
  {
    name: 'the generation of the pool is read after its rows',
    module: 'chain-sync',
    place: { file: 'lib/chain-sync/watched-addresses.ts' },
    find: 'this.#generation = committed;',
    by: 'this.#generation = await readPoolGeneration(this.#db.pool, family);',
  },
  {
    name: 'a second reversal of a wallet ignores the first',
    module: 'ledger',
    place: { function: 'post_entries' },
    find: 'ROWS UNBOUNDED PRECEDING',
    by: 'ROWS CURRENT ROW',
  },
];

/** What of a module's is declared as SQL. */
interface Declared {
  statements: readonly NamedStatement[];
  functions: readonly StoredFunction[];
}

/** @throws Error when a place is not there any more */
export function namedMutants(root: string, module: ModuleName, declared: Declared): Mutant[] {
  return NAMED.filter((named) => named.module === module).map(({ name, place, find, by }) => {
    const text = textOf(root, declared, place);
    if (text.split(find).length !== 2)
      throw new Error(
        `"${find}" does not stand once in ${Object.values(place)[0]}: mend testing/mutants/named-mutants.ts.`,
      );
    return {
      name,
      module,
      change: changeOf(
        place,
        text.replace(find, () => by),
      ),
    };
  });
}

function textOf(root: string, { statements, functions }: Declared, place: NamedMutant['place']): string {
  if ('file' in place) return readFileSync(path.join(root, place.file), 'utf8');
  if ('function' in place) return functions.find(({ name }) => name === place.function)?.definition ?? '';
  return statements.find(({ name }) => name === place.statement)?.text ?? '';
}

function changeOf(place: NamedMutant['place'], text: string): Mutant['change'] {
  if ('file' in place) return { kind: 'source', file: place.file, text };
  if ('function' in place) return { kind: 'database', sql: text };
  return { kind: 'statement', statement: place.statement, text };
}
