import { readFileSync } from 'node:fs';
import path from 'node:path';
import semver from 'semver';
import { expect, test } from 'vitest';
import { z } from 'zod';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'));

const manifest = z.object({ engines: z.object({ node: z.string() }) });
const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      engines: z.object({ node: z.string().optional() }).optional(),
      os: z.array(z.string()).optional(),
      cpu: z.array(z.string()).optional(),
    }),
  ),
});

/** npm installs a package that names systems only on those; "!win32" names all others. */
function isForThisMachine(names: string[] | undefined, own: string): boolean {
  if (names === undefined) return true;
  return names.includes(own) || (names.every((name) => name.startsWith('!')) && !names.includes(`!${own}`));
}

test('every locked package runs on the oldest Node that package.json allows, so that an installation prints no warning', () => {
  const oldest = semver.minVersion(manifest.parse(read('package.json')).engines.node)?.version ?? '';
  const packages = Object.entries(lock.parse(read('package-lock.json')).packages);
  expect(packages.length).toBeGreaterThan(100);
  const tooNew = packages
    .filter(([, { os, cpu }]) => isForThisMachine(os, process.platform) && isForThisMachine(cpu, process.arch))
    .filter(([, { engines }]) => engines?.node !== undefined && !semver.satisfies(oldest, engines.node))
    .map(([name, { version, engines }]) => `${name} ${version} asks for Node ${engines?.node}`);
  expect(tooNew).toEqual([]);
});
