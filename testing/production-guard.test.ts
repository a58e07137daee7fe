import { execFile } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const KEY = Buffer.alloc(32).toString('base64');
const NODE = { ETH_RPC_URL: 'http://127.0.0.1:1' };
const worker = (role: string) => ['workers/main.ts', role];

/** How each process of the product is started, and what it cannot do without; nothing listens at these addresses. */
const PROCESSES = [
  {
    name: 'web',
    // What Next calls before it answers the first request.
    program: ['-e', `import('./instrumentation.ts').then(({ register }) => register())`],
    needed: {
      ...NODE,
      WEB_DATABASE_URL: 'postgresql://web@127.0.0.1:1/incassa',
      PUBLIC_URL: 'https://cassa.example',
      AUTH_SECRET: 'x'.repeat(32),
      APP_SEAL_KEY: KEY,
    },
  },
  {
    name: 'watcher',
    program: worker('watcher'),
    needed: { ...NODE, WATCHER_DATABASE_URL: 'postgresql://watcher@127.0.0.1:1/incassa' },
  },
  {
    name: 'dispatcher',
    program: worker('dispatcher'),
    needed: {
      ...NODE,
      DISPATCHER_DATABASE_URL: 'postgresql://dispatcher@127.0.0.1:1/incassa',
      APP_SEAL_KEY: KEY,
      SMTP_URL: 'smtp://127.0.0.1:1',
    },
  },
  {
    name: 'signer',
    program: worker('signer'),
    needed: { ...NODE, SIGNER_DATABASE_URL: 'postgresql://signer@127.0.0.1:1/incassa', KEK: KEY },
  },
  {
    name: 'npm run init',
    program: ['workers/signer/init-seed.ts'],
    needed: { ...NODE, SIGNER_DATABASE_URL: 'postgresql://signer@127.0.0.1:1/incassa', KEK: KEY },
  },
];

/** Starts a process as in production, with these variables and no others. */
function start(program: readonly string[], env: Record<string, string>): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--import', 'tsx', ...program],
      { cwd: root, env: { NODE_ENV: 'production', NEXT_RUNTIME: 'nodejs', ...env }, timeout: 60_000 },
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, said: stdout + stderr }),
    );
  });
}

describe.each(PROCESSES)('$name, unless it is told that all is local,', ({ program, needed }) => {
  test('does not start without what it needs, and names all of it in one sentence', async () => {
    const { code, said } = await start(program, {});
    expect(code).toBe(1);
    expect(said).toMatch(/^INCASSA_MODE=production needs [^\n]+\.\n$/);
    for (const name of Object.keys(needed)) expect(said).toContain(name);
  }, 90_000);

  test('does not start with what is safe on a local chain only, and names it in one sentence', async () => {
    const { code, said } = await start(program, { ...needed, ETH_DEVNET: '1', WEBHOOK_ALLOW_LOOPBACK: '1' });
    expect(code).toBe(1);
    expect(said).toBe('INCASSA_MODE=production does not allow ETH_DEVNET=1 or WEBHOOK_ALLOW_LOOPBACK=1.\n');
  }, 90_000);
});

test('web does not start behind an https address that says nothing of proxies: everybody would be one address', async () => {
  const [web] = PROCESSES;
  const { code, said } = await start(web?.program ?? [], web?.needed ?? {});
  expect(code).toBe(1);
  expect(said).toBe('INCASSA_MODE=production needs TRUSTED_PROXIES (how many proxies are in front of web, or none).\n');
}, 90_000);
