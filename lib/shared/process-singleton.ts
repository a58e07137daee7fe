/**
 * One value per process under a name. Next bundles routes, pages and instrumentation apart, each with its own copy of a
 * module, so that a plain module variable would exist several times; this one also survives hot reloads.
 * @param create called at the first use only
 */
export function processSingleton<T>(name: string, create: () => T): T {
  const store = globalThis as unknown as Record<symbol, unknown>;
  const key = Symbol.for(`incassa.${name}`);
  if (!(key in store)) store[key] = create();
  return store[key] as T;
}
