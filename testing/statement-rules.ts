import { TABLES } from '@/lib/db/tables';

/** A file of the product by its path from the root, e.g. `lib/mail/repository.ts`. */
export interface Source {
  path: string;
  text: string;
}

/** Which domain writes a table: no other does. */
export const OWNERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(TABLES).map(([name, { owner }]) => [name, owner]),
);

/** Postgres cuts longer names of prepared statements off. */
const MOST_NAME_BYTES = 63;
const NAME = /^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*(\.|$)/;
const RAW_QUERY = /\.query\s*(<[^;]*?>)?\(/;
const DECLARATION = /\bstatement\s*(<|\()/;
const REPOSITORY = /(^|[/-])repository\.ts$/;
/** `FOR UPDATE OF`, `DO UPDATE SET` and their like write no table of that name. */
const WRITE =
  /\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO)\s+(?:ONLY\s+)?"?(?!(?:SET|OF|SKIP|NOWAIT)\b)([a-z_]\w*)/gi;

const domainOf = (path: string) => path.split('/')[1] ?? '';
const isFoundation = ({ path }: Source) => path.startsWith('lib/db/');

/** Does this file declare statements, by its name or by what it calls? */
export const declaresStatements = (source: Source) => REPOSITORY.test(source.path) || DECLARATION.test(source.text);

/** Tables that a statement writes, in whatever part of it. */
export function writtenTables(text: string): string[] {
  return [...new Set([...text.matchAll(WRITE)].map((match) => match[1] ?? ''))];
}

/** SQL belongs into declared statements, and those into repositories. @returns a sentence per violation */
export function sourceViolations(sources: readonly Source[]): string[] {
  return sources
    .filter((source) => !isFoundation(source))
    .flatMap((source) => {
      const { path, text } = source;
      const found: string[] = [];
      if (RAW_QUERY.test(text)) found.push(`${path} runs SQL that is not declared`);
      if (DECLARATION.test(text) && !REPOSITORY.test(path))
        found.push(`${path} declares a statement and is no repository`);
      return found;
    });
}

/**
 * Every name is used once, fits Postgres and tells where the statement is: `<domain>.<what>`, with the domain's folder. What
 * makes several statements (a queue) adds a third part to the name that it was given.
 */
export function nameViolations(names: readonly string[], sources: readonly Source[]): string[] {
  return names.flatMap((name, index) => {
    const found: string[] = [];
    if (names.indexOf(name) !== index) found.push(`${name} is declared twice`);
    if (!NAME.test(name)) found.push(`${name} is no <domain>.<what> with hyphens`);
    if (Buffer.byteLength(name) > MOST_NAME_BYTES) found.push(`${name} is too long`);
    const given = name.split('.').slice(0, 2).join('.');
    const places = sources.filter(({ text }) => text.includes(`'${name}'`) || text.includes(`'${given}'`));
    const [place, ...others] = places;
    if (!place || others.length > 0) found.push(`${name} is named in ${places.length} files`);
    else if (!name.startsWith(`${domainOf(place.path)}.`)) found.push(`${name} is declared in ${place.path}`);
    return found;
  });
}

/** Only a table's owner writes it. */
export function ownerViolations(statements: readonly { name: string; text: string }[]): string[] {
  return statements.flatMap(({ name, text }) =>
    writtenTables(text)
      .filter((table) => OWNERS[table] !== name.split('.')[0])
      .map((table) => `${name} writes ${table}, which belongs to ${OWNERS[table] ?? 'nobody'}`),
  );
}
