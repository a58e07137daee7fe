import { describe, expect, it } from 'vitest';
import { type Faulty, withoutConditions } from './sql-conditions';
import { withoutAssignments, withoutBranches, withoutCommands, withoutLocks, withSwaps } from './sql-swaps';

const texts = (made: readonly Faulty[]) => made.map(({ text }) => text);

describe('a condition is left out', () => {
  it('of several that all must hold by one that always holds, of several of which one must by one that never does', () => {
    expect(texts(withoutConditions('SELECT 1 FROM a WHERE b = 1 AND (c = 2 OR d = 3) ORDER BY e'))).toEqual([
      'SELECT 1 FROM a WHERE true AND (c = 2 OR d = 3) ORDER BY e',
      'SELECT 1 FROM a WHERE b = 1 AND true ORDER BY e',
      'SELECT 1 FROM a WHERE b = 1 AND (false OR d = 3) ORDER BY e',
      'SELECT 1 FROM a WHERE b = 1 AND (c = 2 OR false) ORDER BY e',
    ]);
  });

  it('of a join, and not the target of a conflict', () => {
    expect(texts(withoutConditions('SELECT 1 FROM a JOIN b ON b.id = a.id LEFT JOIN c ON c.id = b.id'))).toEqual([
      'SELECT 1 FROM a JOIN b ON true LEFT JOIN c ON c.id = b.id',
      'SELECT 1 FROM a JOIN b ON b.id = a.id LEFT JOIN c ON true',
    ]);
    expect(withoutConditions('INSERT INTO a (b) VALUES (1) ON CONFLICT (b) DO NOTHING')).toEqual([]);
  });

  it('whole, with the AND of BETWEEN and the FROM of IS DISTINCT FROM in it', () => {
    expect(texts(withoutConditions('SELECT 1 FROM a WHERE b BETWEEN 1 AND 2 AND c IS DISTINCT FROM d'))).toEqual([
      'SELECT 1 FROM a WHERE true AND c IS DISTINCT FROM d',
      'SELECT 1 FROM a WHERE b BETWEEN 1 AND 2 AND true',
    ]);
  });

  it('of a CASE, but not the values that it compares with', () => {
    expect(texts(withoutConditions("x := CASE s WHEN 'a' THEN b > 1 ELSE c END"))).toEqual([
      "x := CASE s WHEN 'a' THEN true ELSE c END",
    ]);
    expect(texts(withoutConditions('SELECT CASE WHEN a = 1 THEN 2 ELSE 3 END'))).toEqual([
      'SELECT CASE WHEN true THEN 2 ELSE 3 END',
    ]);
  });

  it('of an IF, which then never happens; with several each, and the whole', () => {
    expect(texts(withoutConditions('IF NOT FOUND THEN RETURN; END IF;'))).toEqual(['IF false THEN RETURN; END IF;']);
    expect(texts(withoutConditions('IF a AND b THEN RETURN; END IF;'))).toEqual([
      'IF true AND b THEN RETURN; END IF;',
      'IF false THEN RETURN; END IF;',
      'IF a AND true THEN RETURN; END IF;',
    ]);
  });

  it('and what is quoted or a comment is none', () => {
    expect(
      texts(withoutConditions(`SELECT 'WHERE a AND b', "OR" FROM c -- WHERE d AND e\n WHERE f = 'x AND y'`)),
    ).toEqual([`SELECT 'WHERE a AND b', "OR" FROM c -- WHERE d AND e\n WHERE true`]);
  });
});

it('a lock is left out, and one that passes others by waits for them', () => {
  expect(texts(withoutLocks('SELECT 1 FROM a WHERE b FOR NO KEY UPDATE OF a SKIP LOCKED'))).toEqual([
    'SELECT 1 FROM a WHERE b',
    'SELECT 1 FROM a WHERE b FOR NO KEY UPDATE OF a',
  ]);
  expect(texts(withoutLocks('SELECT 1 FROM a FOR UPDATE'))).toEqual(['SELECT 1 FROM a']);
  expect(withoutLocks('INSERT INTO a VALUES (1) ON CONFLICT (b) DO UPDATE SET b = 2')).toEqual([]);
});

it('a comparison moves by its border, what is added or taken off by one is not, the greatest is the least', () => {
  expect(texts(withSwaps('a <= b - c + 1 AND greatest(d, e) <> f AND g ->> h && i'))).toEqual([
    'a < b - c + 1 AND greatest(d, e) <> f AND g ->> h && i',
    'a <= b - c + 1 AND greatest(d, e) = f AND g ->> h && i',
    'a <= b - c AND greatest(d, e) <> f AND g ->> h && i',
    'a <= b - c + 1 AND least(d, e) <> f AND g ->> h && i',
  ]);
});

it('each column of an update stays as it was, and of one column alone nothing is left out', () => {
  const made = texts(withoutAssignments('UPDATE a SET b = 1, c = f(2, 3), d = CASE WHEN e THEN 1 END WHERE g'));
  expect(made.map((text) => text.replace(/\s+/g, ' '))).toEqual([
    'UPDATE a SET c = f(2, 3), d = CASE WHEN e THEN 1 END WHERE g',
    'UPDATE a SET b = 1, d = CASE WHEN e THEN 1 END WHERE g',
    'UPDATE a SET b = 1, c = f(2, 3) WHERE g',
  ]);
  expect(withoutAssignments('UPDATE a SET b = 1 WHERE g')).toEqual([]);
});

it('each further branch of a union is left out', () => {
  const made = texts(withoutBranches('SELECT 1 FROM (SELECT a UNION SELECT b UNION SELECT c) d'));
  expect(made.map((text) => text.replace(/\s+/g, ' '))).toEqual([
    'SELECT 1 FROM (SELECT a UNION SELECT c) d',
    'SELECT 1 FROM (SELECT a UNION SELECT b ) d',
  ]);
});

it('each command of a function that calls or writes is left out', () => {
  const body = 'BEGIN PERFORM f(); IF a THEN INSERT INTO b VALUES (1); END IF; RETURN c; END';
  expect(texts(withoutCommands(body))).toEqual([
    'BEGIN NULL; IF a THEN INSERT INTO b VALUES (1); END IF; RETURN c; END',
    'BEGIN PERFORM f(); IF a THEN NULL; END IF; RETURN c; END',
  ]);
});
