/** A word or mark of SQL that ends one expression and begins the next. */
export interface Token {
  word: string;
  start: number;
  end: number;
  /** How deep in parentheses and CASE … END. An opening mark has the depth outside. */
  depth: number;
  /** The CASE around it compares its own operand with each WHEN. */
  isInSimpleCase: boolean;
  isInCase: boolean;
}

const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*/g;
const MARKS =
  /[(),;]|:=|\b(?:WHERE|AND|OR|ON|HAVING|IF|ELSIF|WHEN|THEN|ELSE|CASE|END|BEGIN|ORDER|GROUP|LIMIT|OFFSET|RETURNING|FOR|UNION|WINDOW|JOIN|LEFT|CROSS|FULL|SELECT|FROM|SET|RAISE|BETWEEN|USING|LOOP|AS|VALUES|INTO|PERFORM|INSERT|UPDATE|DELETE)\b/gi;

/** The same text, as long, in which nothing quoted or commented reads like SQL. */
export function masked(sql: string): string {
  return sql.replace(QUOTED, (quoted) => (quoted.startsWith('--') ? ' ' : 'q').repeat(quoted.length));
}

/** The marks of an SQL text, in order. Words that belong to another are left out: the AND of BETWEEN, `IS DISTINCT FROM`. */
export function tokensOf(sql: string): Token[] {
  const text = masked(sql);
  const tokens: Token[] = [];
  const open: { kind: '(' | 'CASE'; isSimple: boolean }[] = [];
  let betweenAt: number | null = null;
  for (const match of text.matchAll(MARKS)) {
    const word = match[0].toUpperCase();
    const start = match.index;
    const around = text.slice(0, start).trimEnd();
    if (word === 'FROM' && /\bDISTINCT$/i.test(around)) continue;
    if (word === 'BETWEEN') {
      betweenAt = open.length;
      continue;
    }
    if (word === 'AND' && betweenAt === open.length) {
      betweenAt = null;
      continue;
    }
    if (word === ')' && open.at(-1)?.kind === '(') open.pop();
    if (word === 'END' && open.at(-1)?.kind === 'CASE') open.pop();
    const inner = open.at(-1);
    const isInCase = inner?.kind === 'CASE';
    const end = start + word.length;
    tokens.push({ word, start, end, depth: open.length, isInCase, isInSimpleCase: isInCase && inner.isSimple });
    if (word === '(') open.push({ kind: '(', isSimple: false });
    if (word === 'CASE') open.push({ kind: 'CASE', isSimple: !/^\s+WHEN\b/i.test(text.slice(end)) });
  }
  return tokens;
}
