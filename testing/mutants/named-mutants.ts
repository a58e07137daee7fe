import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ModuleName } from './modules';
import type { Mutant } from './mutant';
import type { NamedStatement } from './statement-mutants';

/** A fault that no rule makes: in a place some words are others. */
interface NamedMutant {
  name: string;
  module: ModuleName;
  /** A statement's name, or a file from the root. */
  place: { statement: string } | { file: string };
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
    place: { file: 'lib/deposits/bookings.ts' },
    find: 'balances.set(walletId, held - fromWallet);',
    by: '',
  },
];

/** @throws Error when a place is not there any more */
export function namedMutants(root: string, module: ModuleName, statements: readonly NamedStatement[]): Mutant[] {
  return NAMED.filter((named) => named.module === module).map(({ name, place, find, by }) => {
    const text =
      'file' in place ? readFileSync(path.join(root, place.file), 'utf8') : textOf(statements, place.statement);
    const where = 'file' in place ? place.file : place.statement;
    if (text.split(find).length !== 2)
      throw new Error(`"${find}" does not stand once in ${where}: mend testing/mutants/named-mutants.ts.`);
    const planted = text.replace(find, () => by);
    const change =
      'file' in place
        ? ({ kind: 'source', file: place.file, text: planted } as const)
        : ({ kind: 'statement', statement: place.statement, text: planted } as const);
    return { name, module, change };
  });
}

function textOf(statements: readonly NamedStatement[], statement: string): string {
  return statements.find(({ name }) => name === statement)?.text ?? '';
}
