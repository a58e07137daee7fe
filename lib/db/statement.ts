import type { QueryResult } from 'pg';
import type { Sql } from './database';

/** A statement of a repository, with its parameters by name. */
export interface Statement<Params extends object, Row extends object> {
  /** `<domain>.<what it does>`: the domain that owns it. */
  readonly name: string;
  /** As Postgres gets it, with numbered parameters. */
  readonly text: string;
  /** As the driver takes it, for a statement that runs in another way. */
  bind(params: Params): { text: string; values: unknown[] };
  /** Runs it. @returns all rows */
  all(sql: Sql, params: Params): Promise<Row[]>;
  /** Runs it. @returns the first row, or null */
  first(sql: Sql, params: Params): Promise<Row | null>;
  /** Runs it. @returns the only row. @throws Error when there is none */
  one(sql: Sql, params: Params): Promise<Row>;
  /** Runs it. @returns how many rows it wrote (or found) */
  count(sql: Sql, params: Params): Promise<number>;
}

const statements: Statement<never, object>[] = [];

/** Every statement of the modules that were loaded so far: what the tests prepare against a fresh database. */
export function knownStatements(): readonly Pick<Statement<never, object>, 'name' | 'text' | 'bind'>[] {
  return statements;
}

const PARAMETER = /\$([a-z]\w*)/gi;

/**
 * Declares a statement. Its text names parameters as `$name`; the same name is the same parameter.
 * @param options.prepared parsed and planned once per connection: for what runs with every request or block
 */
export function statement<Params extends object, Row extends object = never>(
  name: string,
  source: string,
  { prepared = false } = {},
): Statement<Params, Row> {
  const names: string[] = [];
  const text = source.replace(PARAMETER, (_, parameter: string) => {
    if (!names.includes(parameter)) names.push(parameter);
    return `$${names.indexOf(parameter) + 1}`;
  });
  const bind = (params: Params) => ({
    text,
    values: names.map((parameter) => parameterOf(name, params, parameter)),
  });
  const run = (sql: Sql, params: Params): Promise<QueryResult<Row & object>> =>
    sql.query<Row & object>(prepared ? { name, ...bind(params) } : bind(params));
  const first = async (sql: Sql, params: Params) => (await run(sql, params)).rows[0] ?? null;
  const declared: Statement<Params, Row> = {
    name,
    text,
    bind,
    first,
    all: async (sql, params) => (await run(sql, params)).rows,
    count: async (sql, params) => (await run(sql, params)).rowCount ?? 0,
    async one(sql, params) {
      const row = await first(sql, params);
      if (!row) throw new Error(`${name} returned no row.`);
      return row;
    },
  };
  statements.push(declared);
  return declared;
}

function parameterOf(statementName: string, params: object, parameter: string): unknown {
  if (!(parameter in params)) throw new Error(`${statementName} lacks its parameter ${parameter}.`);
  return (params as Record<string, unknown>)[parameter];
}
