import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, vi } from 'vitest';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const routes = readdirSync(HERE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('route.ts'));

beforeAll(() => {
  vi.stubEnv('LOG_LEVEL', 'silent');
});

describe('every route below /api', () => {
  it.each(routes)('%s answers each method itself: what it lacks is a 405 that says so', async (file) => {
    const route: Record<string, unknown> = await import(/* @vite-ignore */ `${HERE}${file}`);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
      expect(route[method], method).toBeTypeOf('function');
  });

  it('names its dynamic segments alike: two names at one level build, and fail at run time', () => {
    const names = routes.flatMap((file) => file.split('/').filter((part) => part.startsWith('[')));
    expect([...new Set(names)].sort()).toEqual(['[[...rest]]', '[id]']);
  });
});
