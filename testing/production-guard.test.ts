import { execFile } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { foreignSecrets } from '@/lib/config/foreign-secrets';
import { ROLES, type Role } from '@/lib/config/roles';

const root = path.resolve(import.meta.dirname, '..');
const KEY = Buffer.alloc(32).toString('base64');
const NODE = { ETH_RPC_URL: 'http://127.0.0.1:1' };
const worker = (role: string) => ['workers/main.ts', role];

/** How each process of the product is started, and what it cannot do without; nothing listens at these addresses. */
const PROCESSES = [
  {
    name: 'web',
    roles: ['web'],
    // What Next calls before it answers the first request.
    program: ['-e', `import('./instrumentation.ts').then(({ register }) => register())`],
    needed: {
      ...NODE,
      WEB_DATABASE_URL: 'postgresql://incassa_web@127.0.0.1:1/incassa',
      PUBLIC_URL: 'https://cassa.example',
      AUTH_SECRET: 'x'.repeat(32),
      APP_SEAL_KEY: KEY,
    },
  },
  {
    name: 'watcher',
    roles: ['watcher'],
    program: worker('watcher'),
    needed: { ...NODE, WATCHER_DATABASE_URL: 'postgresql://incassa_watcher@127.0.0.1:1/incassa' },
  },
  {
    name: 'dispatcher',
    roles: ['dispatcher'],
    program: worker('dispatcher'),
    needed: {
      ...NODE,
      DISPATCHER_DATABASE_URL: 'postgresql://incassa_dispatcher@127.0.0.1:1/incassa',
      APP_SEAL_KEY: KEY,
      SMTP_URL: 'smtp://127.0.0.1:1',
    },
  },
  {
    name: 'signer',
    roles: ['signer'],
    program: worker('signer'),
    needed: { ...NODE, SIGNER_DATABASE_URL: 'postgresql://incassa_signer@127.0.0.1:1/incassa', KEK: KEY },
  },
  {
    name: 'npm run init',
    roles: ['signer'],
    program: ['workers/signer/init-seed.ts'],
    needed: { ...NODE, SIGNER_DATABASE_URL: 'postgresql://incassa_signer@127.0.0.1:1/incassa', KEK: KEY },
  },
] satisfies { name: string; roles: Role[]; program: string[]; needed: Record<string, string> }[];

/** A good value of every secret, as it stands in the one file of somebody who gives all processes the same. */
const SECRETS: Record<string, string> = {
  AUTH_SECRET: 'x'.repeat(32),
  APP_SEAL_KEY: KEY,
  KEK: KEY,
  KEK_FILE: '/etc/incassa/kek',
  SMTP_URL: 'smtp://127.0.0.1:1',
  POSTGRES_PASSWORD: 'a-password-of-16-characters',
  DEVNET_CONTROL_TOKEN: 'x'.repeat(43),
  DATABASE_URL: 'postgresql://incassa_owner@127.0.0.1:1/incassa',
  ...Object.fromEntries(
    ROLES.flatMap((role) => [
      [`${role.toUpperCase()}_DATABASE_URL`, `postgresql://incassa_${role}@127.0.0.1:1/incassa`],
      [`${role.toUpperCase()}_DB_PASSWORD`, 'a-password-of-16-characters'],
    ]),
  ),
};

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

describe.each(PROCESSES)('$name, unless it is told that all is local,', ({ program, needed, roles }) => {
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

  test('does not start with the KEK, a login or another secret of somebody else, in any mode, and names each in one sentence', async () => {
    const foreign = foreignSecrets({ ...needed, ...SECRETS }, roles);
    expect(foreign.length).toBeGreaterThan(8);
    const modes = ['production', 'embedded'];
    const starts = modes.map((mode) => start(program, { INCASSA_MODE: mode, ...SECRETS, ...needed }));
    for (const { code, said } of await Promise.all(starts)) {
      expect(code).toBe(1);
      expect(said).toMatch(/^A process that runs [^\n]+ must not have [^\n]+\.\n$/);
      for (const name of foreign) expect(said).toContain(name);
      for (const value of Object.values(SECRETS)) expect(said).not.toContain(value);
    }
  }, 90_000);

  test("does not start with the owner's login instead of its own", async () => {
    const own = Object.keys(needed).find((name) => name.endsWith('_DATABASE_URL')) ?? '';
    const owner = { [own]: '', DATABASE_URL: 'postgresql://incassa_owner@127.0.0.1:1/incassa' };
    const { code, said } = await start(program, { ...needed, ...owner });
    expect(code).toBe(1);
    expect(said).toContain('DATABASE_URL of another login than incassa_');
  }, 90_000);
});

test('web does not start behind an https address that says nothing of proxies: everybody would be one address', async () => {
  const [web] = PROCESSES;
  const { code, said } = await start(web?.program ?? [], web?.needed ?? {});
  expect(code).toBe(1);
  expect(said).toBe('INCASSA_MODE=production needs TRUSTED_PROXIES (how many proxies are in front of web, or none).\n');
}, 90_000);
