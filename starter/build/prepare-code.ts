import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withoutSecrets } from '@/lib/config/foreign-secrets';
import { runTool } from '../processes/run-tool';
import { sourceHash } from './source-hash';
import { withBuildLock } from './with-build-lock';

type Options = {
  /** Folder of the project. */
  root: string;
  tell: (line: string) => void;
  signal?: AbortSignal;
};

const GENERATED = 'lib/db/generated';
const PRISMA_INPUTS = ['prisma/schema', 'prisma.config.ts', 'package-lock.json'];
const WEB_INPUTS = [
  ...[
    'app',
    'components',
    'lib',
    'public',
    'prisma/schema',
    'proxy.ts',
    'instrumentation.ts',
    'instrumentation-client.ts',
  ],
  ...['next.config.ts', 'postcss.config.mjs', 'tsconfig.json', 'package.json', 'package-lock.json'],
];

/**
 * Generates the database client unless it fits the schema.
 *
 * @throws {Error} with the tool's output when it fails
 */
export async function generateClient({ root, tell, signal }: Options): Promise<void> {
  const stamp = path.join(root, 'node_modules', '.incassa', 'generated');
  const hash = sourceHash(root, PRISMA_INPUTS, () => false);
  const isCurrent = () => readText(stamp) === hash && existsSync(path.join(root, GENERATED, 'client.ts'));
  if (isCurrent()) return;
  await withBuildLock(root, tell, async () => {
    if (isCurrent()) return;
    await runTool({
      name: 'prisma generate',
      root,
      program: ['node_modules/prisma/build/index.js', 'generate'],
      env: withoutSecrets(process.env),
      ...(signal && { signal }),
    });
    keep(stamp, hash);
  });
}

/**
 * Builds the web process unless `.next` holds the build of these very sources.
 *
 * @returns whether it was built
 * @throws {Error} with the tool's output when it fails
 */
export async function buildWeb({ root, tell, signal }: Options): Promise<boolean> {
  // Beside the build, so that removing `.next` removes it too.
  const stamp = path.join(root, '.next', 'incassa-sources');
  const hash = sourceHash(root, WEB_INPUTS, isNoSource);
  const isCurrent = () => readText(stamp) === hash && existsSync(path.join(root, '.next', 'BUILD_ID'));
  if (isCurrent()) return false;
  return withBuildLock(root, tell, async () => {
    if (isCurrent()) return false;
    tell('building the pages (next build)…');
    rmSync(stamp, { force: true });
    await runTool({
      name: 'next build',
      root,
      program: ['node_modules/next/dist/bin/next', 'build'],
      env: { ...withoutSecrets(process.env), NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
      ...(signal && { signal }),
    });
    if (!existsSync(path.join(root, '.next', 'BUILD_ID'))) throw new Error('next build left no build behind.');
    keep(stamp, hash);
    return true;
  });
}

/** Tests and what is generated from other inputs do not end up in the build. */
function isNoSource(file: string): boolean {
  return /\.test\.tsx?$/.test(file) || file.startsWith(`${GENERATED}/`);
}

function readText(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function keep(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
