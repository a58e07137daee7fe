import { masked, type Token, tokensOf } from './sql-tokens';

/** A text with one fault, and what the fault is. */
export interface Faulty {
  fault: string;
  text: string;
}

const BEGINS = new Set(['WHERE', 'ON', 'HAVING', 'IF', 'ELSIF', 'WHEN']);
const JOINED = new Set(['AND', 'OR']);
const COMPARES = /[<>=]|\bIN\b|\bIS\b/i;

/** Puts something in the place of a part of a text. */
export function replaced(text: string, start: number, end: number, by: string): string {
  return text.slice(0, start) + by + text.slice(end);
}

/** A part of SQL in one line, short enough for a name. */
export function inOneLine(part: string): string {
  const line = part.replace(/\s+/g, ' ').trim();
  return line.length > 90 ? `${line.slice(0, 60)} … ${line.slice(-25)}` : line;
}

/** The expression between two marks of the same depth, without the spaces around it. */
function between(sql: string, from: Token, to: { start: number }): { start: number; end: number } {
  const part = sql.slice(from.end, to.start);
  const start = from.end + (part.length - part.trimStart().length);
  return { start, end: start + part.trim().length };
}

const NESTED = new Set(['(', ')', 'CASE', 'END']);

/** The mark at which what begins after a token of a depth ends. What is nested in it is passed over. */
export function nextOf(tokens: readonly Token[], index: number, depth: number, passes = NESTED): Token | undefined {
  return tokens
    .slice(index + 1)
    .find((token) => token.depth < depth || (token.depth === depth && !passes.has(token.word)));
}

/** What stands for a condition that is not asked: it never decides. */
function neutral(begin: string, end: string, isInCase: boolean): string {
  if (begin === 'AND' || end === 'AND') return 'true';
  if (begin === 'OR' || end === 'OR') return 'false';
  return (begin === 'IF' || begin === 'ELSIF') && !isInCase ? 'false' : 'true';
}

/**
 * Every condition of an SQL text left out once: of WHERE, ON, HAVING, IF, WHEN, of a boolean expression, however deep. An IF
 * with several conditions is also left out whole.
 */
export function withoutConditions(sql: string): Faulty[] {
  const tokens = tokensOf(sql);
  const text = masked(sql);
  const end: Token = {
    word: 'END',
    start: sql.length,
    end: sql.length,
    depth: 0,
    isInCase: false,
    isInSimpleCase: false,
  };
  return tokens.flatMap((begin, index) => {
    const inside = begin.word === '(' || begin.word === 'CASE' ? begin.depth + 1 : begin.depth;
    const next = nextOf(tokens, index, inside) ?? end;
    const part = between(sql, begin, next);
    const condition = text.slice(part.start, part.end);
    const isAsked =
      (BEGINS.has(begin.word) && !(begin.isInSimpleCase && begin.word === 'WHEN') && !/^CONFLICT/i.test(condition)) ||
      JOINED.has(begin.word) ||
      (JOINED.has(next.word) && next.depth === inside) ||
      (begin.isInCase && (begin.word === 'THEN' || begin.word === 'ELSE') && COMPARES.test(condition));
    if (!isAsked || condition === '' || /^(NOT\s+)?EXISTS$/i.test(condition) || /^IF\b/i.test(condition)) return [];
    const by = neutral(begin.word, next.word, begin.isInCase);
    const asked = inOneLine(sql.slice(part.start, part.end));
    const dropped = { fault: `without "${asked}"`, text: replaced(sql, part.start, part.end, by) };
    return asked === by ? [] : [dropped, ...wholeIf(sql, tokens, index, next)];
  });
}

function wholeIf(sql: string, tokens: readonly Token[], index: number, next: Token): Faulty[] {
  const begin = tokens[index];
  if (begin?.word !== 'IF' || !JOINED.has(next.word)) return [];
  const then = tokens.slice(index).find(({ word, depth }) => word === 'THEN' && depth === begin.depth);
  if (!then) return [];
  const part = between(sql, begin, then);
  const asked = inOneLine(sql.slice(part.start, part.end));
  return [{ fault: `never when "${asked}"`, text: replaced(sql, part.start, part.end, 'false') }];
}
