import path from 'node:path';
import type { Plugin } from 'vitest/config';
import { z } from 'zod';
import { SOURCE_VARIABLE, STATEMENT_VARIABLE } from './mutant-environment';

const STATEMENTS = 'lib/db/statement.ts';
const DECLARES = '): Statement<Params, Row> {\n';
/** Runs in the tests' process: the planted text takes the place of the declared one. */
const PLANTS = `  const planted = JSON.parse(process.env.${STATEMENT_VARIABLE} ?? '{}');
  if (planted.name === name) source = planted.text;
`;

const Source = z.object({ file: z.string(), text: z.string() });

/** Plants the fault of the present mutant into what the tests load. The product has no hook for it. */
export function plantFaults(root: string): Plugin {
  return {
    name: 'plant-faults',
    enforce: 'pre',
    transform(code, id) {
      const file = path.relative(root, id);
      const source = Source.safeParse(JSON.parse(process.env[SOURCE_VARIABLE] ?? '{}'));
      if (source.data?.file === file) return source.data.text;
      if (file !== STATEMENTS) return null;
      if (!code.includes(DECLARES))
        throw new Error(`${STATEMENTS} declares statements otherwise: mend ${import.meta.url}.`);
      return code.replace(DECLARES, DECLARES + PLANTS);
    },
  };
}
