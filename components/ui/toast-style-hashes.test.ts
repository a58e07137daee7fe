import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { TOAST_STYLE_HASHES } from './toast-style-hashes';

const sha256 = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

test('the page policy allows exactly the style that the installed toast library inserts', () => {
  const source = readFileSync(fileURLToPath(import.meta.resolve('sonner')), 'utf8');
  const literal = /__insertCSS\(("(?:[^"\\]|\\.)*")\)/.exec(source)?.[1];
  const css: unknown = JSON.parse(literal ?? 'null');
  expect(css).toBeTypeOf('string');
  expect(TOAST_STYLE_HASHES).toEqual([sha256(''), sha256(String(css))]);
});
