import type { ModuleName } from './modules';

/** What a mutant is made of. */
type Change =
  /** A declared statement gets another text, with its parameters by name. */
  | { kind: 'statement'; statement: string; text: string }
  /** SQL that a superuser runs on the migrated template. */
  | { kind: 'database'; sql: string }
  /** A source file gets another text; `file` from the root. */
  | { kind: 'source'; file: string; text: string };

/** One fault that the tests of its module must see. */
export interface Mutant {
  /** Place and fault, used once: `deposits.orphan: without "epoch = $epoch"`. */
  name: string;
  module: ModuleName;
  change: Change;
}

/** Gives mutants of one place that read alike numbers of their own. */
export function numbered<T extends { name: string }>(mutants: readonly T[]): T[] {
  const seen = new Map<string, number>();
  return mutants.map((mutant) => {
    const count = (seen.get(mutant.name) ?? 0) + 1;
    seen.set(mutant.name, count);
    return count === 1 ? mutant : { ...mutant, name: `${mutant.name} (${count})` };
  });
}
