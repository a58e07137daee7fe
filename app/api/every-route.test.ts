import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { RouteHandler } from '@/lib/http/define-route';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const routes = readdirSync(HERE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('route.ts'));

beforeAll(() => {
  vi.stubEnv('LOG_LEVEL', 'silent');
});

describe('every route below /api', () => {
  it.each(routes)('%s answers each method itself: what it lacks is a 405 that says so', async (file) => {
    const route: Record<string, unknown> = await import(/* @vite-ignore */ `${HERE}${file}`);
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
      expect(route[method], method).toBeTypeOf('function');
  });

  /** Their GET reads and nothing else. */
  const ANSWERS_HEAD = ['health/route.ts'];

  it.each(routes.filter((file) => !ANSWERS_HEAD.includes(file)))(
    '%s does not run its GET for HEAD, whose answer nobody reads',
    async (file) => {
      const route = await import(/* @vite-ignore */ `${HERE}${file}`);
      // As Next finds it.
      const head: RouteHandler = route.HEAD ?? route.GET;
      const request = new Request('http://localhost:3000/api/test', { method: 'HEAD' });
      const { status, headers } = await head(request, { params: Promise.resolve({ id: randomUUID() }) });
      expect(status).toBe(file.startsWith('[[...rest]]') ? 404 : 405);
      expect(headers.get('allow') ?? '').not.toContain('HEAD');
    },
  );

  it('names its dynamic segments alike: two names at one level build, and fail at run time', () => {
    const names = routes.flatMap((file) => file.split('/').filter((part) => part.startsWith('[')));
    expect([...new Set(names)].sort()).toEqual(['[[...rest]]', '[id]']);
  });
});
