/** Mutants that change nothing, by their name, each with the reason. A name that is no mutant any more fails the run. */
export const EQUIVALENTS: Readonly<Record<string, string>> = {};
