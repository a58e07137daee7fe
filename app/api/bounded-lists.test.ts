import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { IsoDate, PageQuery, pageOf } from '@/lib/api-schema/common';
import { MAX_PAGE_SIZE } from '@/lib/shared/limits';

/** A route's declaration as it is written: what the routes export here instead of a handler. */
interface Declared {
  query?: z.ZodType;
  response?: z.ZodType;
}
vi.mock('@/lib/http/define-route', () => ({ defineRoute: (declared: Declared) => declared }));

const HERE = fileURLToPath(new URL('.', import.meta.url));
const files = readdirSync(HERE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('route.ts'));
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Answers with a Response of their own: the refusals, and the stream, which sends what the invoice's GET answers. */
const WITHOUT_SCHEMA = /^GET invoices\/public\/\[id\]\/events$|\[\[\.\.\.rest\]\]$/;

const Json = z.looseObject({ type: z.string().optional(), maxItems: z.number().optional() });

/** Where in a JSON schema a list may be of any length. */
function endlessLists(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { type, maxItems } = Json.safeParse(schema).data ?? {};
  const own = type === 'array' && maxItems === undefined ? [path] : [];
  return [...own, ...Object.entries(schema).flatMap(([name, inner]) => endlessLists(inner, `${path}/${name}`))];
}

/** What is wrong with the lists of a route's answer. */
function objections({ query, response }: Declared): string[] {
  if (!response) return ['has no response schema'];
  const schema = z.toJSONSchema(response, { io: 'output', unrepresentable: 'any' });
  const endless = endlessLists(schema).map((path) => `${path} may be of any length`);
  const pages = Object.keys(schema.properties ?? {}).includes('totalPages');
  if (!pages) return endless;
  const tooMany = query?.safeParse({ page: '1', pageSize: String(MAX_PAGE_SIZE + 1) });
  const first = query?.safeParse({});
  const bounded = first?.success === true && tooMany?.success === false;
  return bounded ? endless : [...endless, `has pages and takes more than ${MAX_PAGE_SIZE} a page`];
}

describe('the lists of every answer', () => {
  const routes = new Map<string, Declared>();

  beforeAll(async () => {
    for (const file of files) {
      const route: Record<string, Declared | (() => unknown)> = await import(/* @vite-ignore */ `${HERE}${file}`);
      for (const method of METHODS) {
        const declared = route[method];
        // What a route lacks is a handler that refuses.
        if (typeof declared === 'object') routes.set(`${method} ${file.replace(/\/route\.ts$/, '')}`, declared);
      }
    }
  });
  afterAll(() => {
    vi.doUnmock('@/lib/http/define-route');
  });

  it('are found: the routes are read as they are declared', () => {
    const withLists = [...routes].filter(
      ([, { response }]) =>
        response && JSON.stringify(z.toJSONSchema(response, { unrepresentable: 'any' })).includes('"array"'),
    );
    expect(withLists.map(([name]) => name)).toEqual(
      expect.arrayContaining(['GET admin/unattributed', 'GET apikeys', 'GET health', 'GET invoices', 'GET wallets']),
    );
  });

  it('have a bound: pages of at most 100, or a stated maximum', () => {
    const found = [...routes].map(([name, declared]) => [name, objections(declared)] as const);
    const known = found.filter(([name]) => !WITHOUT_SCHEMA.test(name));
    expect(known.filter(([, said]) => said.length > 0)).toEqual([]);
  });

  it.each([
    ['a plain array', { response: z.array(IsoDate) }, 'any length'],
    [
      'items without end',
      { response: z.object({ items: z.array(IsoDate) }) },
      '/properties/items may be of any length',
    ],
    ['a list deep inside', { response: z.object({ a: z.object({ b: z.array(IsoDate) }).nullable() }) }, 'any length'],
    ['a list in a list', { response: z.array(z.object({ b: z.array(IsoDate) })).max(3) }, 'any length'],
    ['pages without a query', { response: pageOf(IsoDate) }, 'more than 100'],
    [
      'pages of any size',
      { response: pageOf(IsoDate), query: z.object({ ...PageQuery, pageSize: z.coerce.number().default(10) }) },
      'more than 100',
    ],
    ['no schema', {}, 'no response schema'],
  ])('without one are caught: %s', (_, declared, said) => {
    expect(objections(declared).join()).toContain(said);
  });
});
