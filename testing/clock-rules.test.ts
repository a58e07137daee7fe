import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const PLACES = ['app', 'components', 'lib', 'workers', 'proxy.ts', 'instrumentation.ts', 'instrumentation-client.ts'];

/** Who may read the machine's clock, and why. Every other time of the product is its database's (lib/db/database-clock.ts). */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'lib/db/database-clock.ts': 'watches the machine’s clock for jumps, and believes nothing of it',
  'lib/shared/time.ts': 'declares the machine’s clock, which tests and benches use and no process does',
  'lib/client/use-countdown.ts':
    'a browser: it measures how far its own clock is from the server’s, and counts by that',
  'components/dashboard/dashboard.tsx': 'a browser: today’s date as a greeting, where the reader is',
};

/** The machine's clock as JavaScript tells it, or as tests take it. */
const MACHINE_CLOCK = /\bDate\.now\b|\bnew Date\(\s*\)|\bnew Date\b(?!\()|(?<!\w|new )\bDate\(|\bsystemClock\b/;
const isProduct = (path: string) =>
  /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.startsWith('lib/db/generated/');

function sources(): string[] {
  return PLACES.flatMap((place) => {
    if (place.endsWith('.ts')) return [place];
    return readdirSync(join(ROOT, place), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => relative(ROOT, join(file.parentPath, file.name)));
  }).filter(isProduct);
}

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
const readsMachineClock = (text: string) => MACHINE_CLOCK.test(withoutComments(text));

describe('the time of the product', () => {
  test('is the database’s: nothing reads the machine’s clock but what is listed with its reason', () => {
    const files = sources();
    expect(files.length).toBeGreaterThan(300);
    const readers = files.filter((path) => readsMachineClock(readFileSync(join(ROOT, path), 'utf8')));
    expect(readers.sort()).toEqual(Object.keys(EXCEPTIONS).sort());
  });

  test.each([
    ['const now = Date.now();', true],
    ['const now = new Date();', true],
    ['const now = new Date( );', true],
    ['const text = Date();', true],
    ['const clock = systemClock;', true],
    ['const read = Date.now;', true],
    ['const at = new Date(row.at);', false],
    ['/** Not `new Date()`. */', false],
    ['const at = toDate(text);', false],
  ])('a planted %s', (text, isFound) => {
    expect(readsMachineClock(text)).toBe(isFound);
  });
});
