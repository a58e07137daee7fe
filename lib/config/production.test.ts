import { describe, expect, test } from 'vitest';
import { CHAIN_DEFINITIONS } from '@/lib/chains/registry';
import { chainVariable } from './chain-variables';
import { type Env, parseEnv } from './env';
import { missingInProduction } from './production';
import { ROLES, type Role, VARIABLES } from './roles';
import type { VariableName } from './schema';

const KEY = Buffer.alloc(32).toString('base64');
const FULL: Record<Role, Record<string, string>> = {
  web: {
    AUTH_SECRET: 'x'.repeat(32),
    APP_SEAL_KEY: KEY,
    PUBLIC_URL: 'https://cassa.example',
    TRUSTED_PROXIES: '1',
    ETH_RPC_URL: 'https://node.example',
  },
  watcher: { ETH_RPC_URL: 'https://node.example' },
  dispatcher: {
    APP_SEAL_KEY: KEY,
    SMTP_URL: 'smtps://mail.example',
    ETH_RPC_URL: 'https://node.example',
  },
  signer: { KEK: KEY, ETH_RPC_URL: 'https://node.example' },
};

const missing = (env: Env, roles: readonly Role[]) => missingInProduction(env, env.chains, roles);
const cases = ROLES.flatMap((role) => Object.keys(FULL[role]).map((name) => ({ role, name })));

describe('production, which is what a process runs in unless it is told otherwise', () => {
  test.each(ROLES)('%s lacks nothing with what it needs', (role) => {
    expect(missing(parseEnv(FULL[role]), [role])).toEqual([]);
  });

  test.each(cases)('$role does not start without $name, whether it is missing or empty', ({ role, name }) => {
    const { [name]: _, ...others } = FULL[role];
    for (const source of [others, { ...others, [name]: '' }]) {
      const gaps = missing(parseEnv(source), [role]);
      expect(gaps).toHaveLength(1);
      expect(gaps[0]).toContain(name);
    }
  });

  test.each(['none', '1', '10'])('an https address starts with TRUSTED_PROXIES=%s, an http one without', (value) => {
    expect(missing(parseEnv({ ...FULL.web, TRUSTED_PROXIES: value }), ['web'])).toEqual([]);
    const { TRUSTED_PROXIES: _, ...others } = FULL.web;
    expect(missing(parseEnv({ ...others, PUBLIC_URL: 'http://cassa.lan' }), ['web'])).toEqual([]);
  });

  test('a count of no proxies has to be said in words: it was the default before, and nobody had chosen it', () => {
    expect(() => parseEnv({ TRUSTED_PROXIES: '0' })).toThrow('TRUSTED_PROXIES must be none or a number from 1 to 10.');
  });

  test('several roles of one process need what each of them needs, named once', () => {
    const gaps = missing(parseEnv({}), ROLES);
    expect(new Set(gaps).size).toBe(gaps.length);
    for (const role of ROLES) expect(gaps).toEqual(expect.arrayContaining(missing(parseEnv({}), [role])));
  });

  test('what is required of a role is among what it reads', () => {
    for (const [name, { roles, required = [] }] of Object.entries(VARIABLES)) {
      expect([name, required.filter((role) => !roles.includes(role))]).toEqual([name, []]);
    }
  });

  const UNSAFE = [
    ...CHAIN_DEFINITIONS.map((definition) => chainVariable(definition, 'DEVNET')),
    'WEBHOOK_ALLOW_LOOPBACK',
  ];

  test.each(UNSAFE)('%s=1 is refused in one sentence that names it, and allowed where all is local', (name) => {
    const nodes = CHAIN_DEFINITIONS.map((definition) => [chainVariable(definition, 'RPC_URL'), 'http://127.0.0.1:1']);
    const source = { ...Object.fromEntries(nodes), [name]: '1' };
    expect(() => parseEnv(source)).toThrow(`INCASSA_MODE=production does not allow ${name}=1.`);
    expect(() => parseEnv({ ...source, INCASSA_MODE: 'embedded' })).not.toThrow();
  });

  test('nothing is missing where all is local', () => {
    const env = parseEnv({ INCASSA_MODE: 'embedded' });
    expect(missing(env, ROLES)).toEqual([]);
  });
});

test.each<[VariableName, string]>([
  ['TRUSTED_PROXIES', '-1'],
  ['TRUSTED_PROXIES', '11'],
  ['KEK', 'short'],
  ['WEBHOOK_ALLOW_LOOPBACK', 'yes'],
  ['WEBHOOK_REFUSED_PORTS', '80;81'],
  ['DATABASE_URL', 'mysql://db'],
])('a bad %s (%s) is one sentence that names it and does not repeat the value', (name, value) => {
  const act = () => parseEnv({ [name]: value });
  expect(act).toThrow(new RegExp(`^Bad configuration: ${name} [^\\n]+\\.$`));
  expect(act).not.toThrow(value);
});
