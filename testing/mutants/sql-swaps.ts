import { type Faulty, inOneLine, nextOf, replaced } from './sql-conditions';
import { masked, type Token, tokensOf } from './sql-tokens';

const NEIGHBOUR: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '<>': '=' };
const OPPOSITE: Readonly<Record<string, string>> = { greatest: 'least', least: 'greatest', max: 'min', min: 'max' };
/** Not of `->`, `=>`, `<@` and their like. */
const COMPARISON = /(?<![-=<>@])(<=|>=|<>|<|>)(?![<>@])/g;
const LOCK = /\s+FOR\s+(?:NO\s+KEY\s+)?UPDATE(?:\s+OF\s+\w+)?(\s+SKIP\s+LOCKED|\s+NOWAIT)?/gi;
const AROUND = 24;

/** Some of the text around a place, to tell it from others. */
function near(sql: string, start: number, end: number): string {
  return inOneLine(sql.slice(Math.max(0, start - AROUND), end + AROUND));
}

/** Each comparison moved by its border; what is added or taken off by one is not; the greatest is the least. */
export function withSwaps(sql: string): Faulty[] {
  const text = masked(sql);
  const swapped = (pattern: RegExp, by: (found: string) => string | undefined): Faulty[] =>
    [...text.matchAll(pattern)].flatMap((match) => {
      const other = by(match[0]);
      const end = match.index + match[0].length;
      if (other === undefined) return [];
      const fault = `${match[0].trim()} becomes ${other === '' ? 'nothing' : other} at "${near(sql, match.index, end)}"`;
      return [{ fault, text: replaced(sql, match.index, end, other) }];
    });
  return [
    ...swapped(COMPARISON, (found) => NEIGHBOUR[found]),
    ...swapped(/ [+-] 1\b(?![.\d])/g, () => ''),
    ...swapped(/\b(?:greatest|least|max|min)(?=\()/gi, (found) => OPPOSITE[found.toLowerCase()]),
  ];
}

/** Each row lock left out, and each lock that passes others by waiting for them instead. */
export function withoutLocks(sql: string): Faulty[] {
  return [...masked(sql).matchAll(LOCK)].flatMap((match) => {
    const end = match.index + match[0].length;
    const lock = inOneLine(match[0]);
    const dropped = {
      fault: `without ${lock} at "${near(sql, match.index, end)}"`,
      text: replaced(sql, match.index, end, ''),
    };
    if (!match[1]) return [dropped];
    const waiting = replaced(sql, end - match[1].length, end, '');
    return [dropped, { fault: `waits instead of${match[1]} at "${near(sql, match.index, end)}"`, text: waiting }];
  });
}

const IN_AN_ITEM = new Set(['(', ')', 'CASE', 'END', ',', 'AS', 'AND', 'OR', 'WHEN', 'THEN', 'ELSE']);

/** Each column of an UPDATE of several left as it was. */
export function withoutAssignments(sql: string): Faulty[] {
  const tokens = tokensOf(sql);
  return tokens.flatMap((set, index) => {
    if (set.word !== 'SET') return [];
    const after = tokens.slice(index + 1);
    const last = nextOf(tokens, index, set.depth, IN_AN_ITEM);
    const commas = after.filter(
      ({ word, depth, start }) => word === ',' && depth === set.depth && start < (last?.start ?? sql.length),
    );
    const borders = [set.end, ...commas.map(({ end }) => end), (last?.start ?? sql.length) + 1];
    return commas.length === 0
      ? []
      : borders
          .slice(0, -1)
          .map((start, place) => dropItem(sql, start, borders[place + 1] ?? start, place === commas.length));
  });
}

function dropItem(sql: string, start: number, next: number, isLast: boolean): Faulty {
  const end = next - 1;
  const fault = `leaves "${inOneLine(sql.slice(start, end))}"`;
  if (!isLast) return { fault, text: replaced(sql, start, next, ' ') };
  const comma = sql.lastIndexOf(',', start);
  return { fault, text: replaced(sql, comma, end, ' ') };
}

/** Each further branch of a UNION left out. */
export function withoutBranches(sql: string): Faulty[] {
  const tokens = tokensOf(sql);
  return tokens.flatMap((union, index) => {
    if (union.word !== 'UNION') return [];
    const end = tokens
      .slice(index + 1)
      .find(({ depth, word }) => depth < union.depth || (depth === union.depth && word === 'UNION'));
    const until = end?.start ?? sql.length;
    return [
      { fault: `without "${inOneLine(sql.slice(union.start, until))}"`, text: replaced(sql, union.start, until, ' ') },
    ];
  });
}

const WORK = new Set(['PERFORM', 'INSERT', 'UPDATE', 'DELETE']);
const STARTS_A_COMMAND = new Set([';', 'BEGIN', 'THEN', 'ELSE', 'LOOP']);

/** Each command of a PL/pgSQL body that writes or calls, left out. */
export function withoutCommands(body: string): Faulty[] {
  const tokens = tokensOf(body);
  return tokens.flatMap((token, index) => {
    const before = tokens[index - 1];
    if (!WORK.has(token.word) || !isCommandStart(body, before, token)) return [];
    const end = tokens.slice(index).find(({ word, depth }) => word === ';' && depth === token.depth);
    if (!end) return [];
    const fault = `without the command "${inOneLine(body.slice(token.start, end.start))}"`;
    return [{ fault, text: replaced(body, token.start, end.start, 'NULL') }];
  });
}

function isCommandStart(body: string, before: Token | undefined, token: Token): boolean {
  if (!before || before.isInCase || !STARTS_A_COMMAND.has(before.word)) return false;
  return masked(body).slice(before.end, token.start).trim() === '';
}
