import { OWNERS } from './statement-rules';

/** SQL without comments, texts, and quotes around names. */
const plain = (text: string) =>
  text
    .replace(/--[^\n]*/g, ' ')
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/"/g, '')
    .replace(/\s+/g, ' ');

const isTable = (name: string | undefined): name is string => name !== undefined && Object.hasOwn(OWNERS, name);
const unique = (names: string[]) => [...new Set(names)].sort();

const UPDATE = /(?<!\bFOR |\bNO KEY |\bDO )\bUPDATE\s+(?:ONLY\s+)?([a-z_]\w*)/gi;
const DELETE = /\bDELETE\s+FROM\s+([a-z_]\w*)/gi;
const UPSERT = /\bINSERT\s+INTO\s+([a-z_]\w*)(?:(?!\bINSERT\s+INTO\b).)*?\bDO\s+UPDATE\b/gi;
const ROW_LOCK =
  /\bFOR\s+(?:NO\s+KEY\s+UPDATE|KEY\s+SHARE|UPDATE|SHARE)(?:\s+OF\s+([a-z_]\w*))?(\s+(?:SKIP\s+LOCKED|NOWAIT))?/gi;
const FROM = /\b(?:FROM|JOIN)\s+([a-z_]\w*)(?:\s+([a-z_]\w*))?/gi;
/** A word that is no column of something, no type, and not what an INSERT writes. */
const WORD = /(?<![.\w]|::|\bINTO )([a-z_]\w*)/gi;

/** What a row lock holds: what stands after OF, or what its own SELECT reads. */
function lockedBy(text: string, { index, 1: of }: RegExpExecArray): string[] {
  const before = text.slice(0, index);
  const select = of ? before : before.slice(before.toUpperCase().lastIndexOf('SELECT'));
  const reads = [...select.matchAll(FROM)];
  return reads.flatMap(([, table, alias]) => (!of || of === alias || of === table ? [table] : [])).filter(isTable);
}

/** Tables whose rows a statement locks and leaves out where somebody else holds them (`leavesOut`), or waits for. */
function rowLocks(text: string, leavesOut: boolean): string[] {
  const locks = [...text.matchAll(ROW_LOCK)].filter((lock) => Boolean(lock[2]) === leavesOut);
  return locks.flatMap((lock) => lockedBy(text, lock));
}

/**
 * Tables of whose rows a statement may wait for another transaction: it updates or deletes them, or locks them without leaving
 * out those that are held. What it has locked itself in that way, it does not wait for.
 */
function waitsFor(source: string): string[] {
  const text = plain(source);
  const written = [UPDATE, DELETE, UPSERT].flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1]));
  const held = rowLocks(text, true);
  return unique([...written, ...rowLocks(text, false)].filter(isTable).filter((table) => !held.includes(table)));
}

/**
 * What a statement reads although it may have waited for rows of another table: it sees it as it was before the wait.
 * @param readers functions that read tables in the snapshot of whoever calls them
 */
export function readsBesideWait(source: string, readers: readonly string[] = []): string[] {
  const text = plain(source);
  const waits = waitsFor(source);
  if (waits.length === 0) return [];
  const own = [...waits, ...rowLocks(text, true)];
  const words = [...text.matchAll(WORD)].map(([, word]) => word ?? '');
  return unique(words.filter((word) => isTable(word) || readers.includes(word)).filter((word) => !own.includes(word)));
}

/** Does a statement wait for several rows in no order of its own? Two that do it wait for each other. */
export function locksWithoutOrder(source: string): boolean {
  const text = plain(source);
  return [...text.matchAll(ROW_LOCK)].some((lock) => {
    const before = text.slice(0, lock.index);
    return !lock[2] && /\b(?:ANY|IN|unnest)\s*\(/i.test(before) && !/\bORDER BY [\w. ,]+$/i.test(before);
  });
}

/** The statements of a function's body. What is asked before one (`IF … THEN`) is taken as part of it. */
export function statementsOf(body: string): string[] {
  return plain(body)
    .split(/;|\bBEGIN\b|\bLOOP\b/i)
    .map((statement) => statement.trim())
    .filter((statement) => /\b(?:SELECT|UPDATE|INSERT|DELETE|PERFORM)\b/i.test(statement));
}
