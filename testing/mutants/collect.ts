import type { Database, Sql } from '@/lib/db/database';
import { functionMutants, readFunctions, tableMutants } from './database-mutants';
import { isEquivalent } from './equivalents';
import type { MutatedModule } from './modules';
import { type Mutant, numbered } from './mutant';
import { namedMutants } from './named-mutants';
import { readStatements, statementMutants } from './statement-mutants';

/** A module's mutants: those to be killed, and those that are proved to change nothing. */
export interface Collection {
  mutants: Mutant[];
  equivalents: Mutant[];
}

/** Makes every mutant of a module's statements, functions and tables. What Postgres does not understand is none. */
export async function collectMutants(root: string, db: Database, module: MutatedModule): Promise<Collection> {
  const statements = await readStatements(root, module.domains);
  const functions = await readFunctions(db.pool, module);
  const made = numbered([
    ...namedMutants(root, module.name, { statements, functions }),
    ...statementMutants(module, statements),
    ...functionMutants(module, functions),
    ...(await tableMutants(db.pool, module)),
  ]);
  const understood: Mutant[] = [];
  for (const mutant of made) if (await isUnderstood(db, mutant)) understood.push(mutant);
  return {
    mutants: understood.filter(({ name }) => !isEquivalent(name)),
    equivalents: understood.filter(({ name }) => isEquivalent(name)),
  };
}

async function isUnderstood(db: Database, { change }: Mutant): Promise<boolean> {
  if (change.kind === 'source') return true;
  const sql = await db.pool.connect();
  try {
    await sql.query('BEGIN');
    await sql.query(change.kind === 'database' ? change.sql : `PREPARE tried AS ${withNumbers(change.text)}`);
    return true;
  } catch {
    return false;
  } finally {
    await sql.query('ROLLBACK');
    await forget(sql);
    sql.release();
  }
}

async function forget(sql: Sql): Promise<void> {
  await sql.query('DEALLOCATE ALL');
}

function withNumbers(text: string): string {
  const names: string[] = [];
  return text.replace(/\$([a-z]\w*)/gi, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
}
