import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv as parseFile } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { CHAIN_DEFINITIONS } from '@/lib/chains/registry';
import { chainVariableNames } from '@/lib/config/chain-variables';
import { parseEnv } from '@/lib/config/env';
import { foreignSecrets, wrongLogins } from '@/lib/config/foreign-secrets';
import { missingInProduction, ONE_OF } from '@/lib/config/production';
import { ROLES, type Role, VARIABLES } from '@/lib/config/roles';
import { type VariableName, VariablesSchema } from '@/lib/config/schema';
import { CONFIGURATION_FILES, withChains } from './chain-blocks';
import { roleFile } from './role-file';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const example = read('.env.example');
const composeText = read('docker-compose.yml');
const compose = z
  .object({
    services: z.record(
      z.string(),
      z.object({
        environment: z.record(z.string(), z.string()).default({}),
        // It would give the service every variable of a file.
        env_file: z.never().optional(),
        secrets: z.array(z.string()).default([]),
      }),
    ),
  })
  .parse(parse(composeText, { merge: true }));

const VARIABLE_NAMES = Object.keys(VariablesSchema.shape) as VariableName[];
const passwordOf = (role: Role) => `${role.toUpperCase()}_DB_PASSWORD`;
const service = (name: string) => compose.services[name] ?? expect.fail(`there is no service ${name}`);
const readBy = (role: Role) => VARIABLE_NAMES.filter((name) => VARIABLES[name].roles.includes(role));

describe('variables of chains', () => {
  test.each(CONFIGURATION_FILES)('$file holds what `npm run configuration` writes', ({ file, describe: lines }) => {
    expect(read(file)).toBe(withChains(read(file), lines));
  });

  test('every chain stands between the marks once, indented like them, and nothing around them changes', () => {
    const text = [
      'before',
      '  # chains: written by `npm run configuration`, from here',
      'old',
      '  # chains: to here',
      '',
    ];
    expect(withChains(text.join('\n'), ({ chain }) => [chain])).toBe(
      ['before', text[1], ...CHAIN_DEFINITIONS.map(({ chain }) => `  ${chain}`), text[3], ''].join('\n'),
    );
  });

  test('a file without the marks is refused rather than overwritten', () => {
    expect(() => withChains('PORT=3000\n', () => [])).toThrow('has no lines');
  });
});

describe('docker-compose.yml', () => {
  /** A role's own login stands in for DATABASE_URL, and for DATABASE_DIRECT_URL because no pooler is between. */
  const isGiven = (role: Role, name: VariableName) => {
    const given = service(role).environment;
    const isLogin = name === 'DATABASE_URL' || name === 'DATABASE_DIRECT_URL';
    const standIns = isLogin
      ? [`${role.toUpperCase()}_DATABASE_URL`]
      : (ONE_OF[role]?.find((names) => names.includes(name)) ?? []);
    return [name, ...standIns].some((known) => given[known] !== undefined);
  };

  test.each(ROLES)('%s gets every variable that it reads', (role) => {
    expect(readBy(role).filter((name) => !isGiven(role, name))).toEqual([]);
    expect(Object.keys(service(role).environment)).toEqual(expect.arrayContaining(chainVariableNames()));
  });

  test.each(ROLES)('%s gets no variable that it does not read, and knows no password but its own', (role) => {
    const { environment, secrets } = service(role);
    const known: string[] = [...readBy(role), ...chainVariableNames()];
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
    const used = Object.values(environment).flatMap((value) =>
      [...value.matchAll(/\$\{(\w+)/g)].map(([, name]) => name),
    );
    expect(used.filter((name) => name !== passwordOf(role) && !known.includes(name ?? ''))).toEqual([]);
    expect(secrets).toEqual(role === 'signer' ? ['kek'] : []);
  });

  test('the key of the seed lies outside of the folder that the image is built from', () => {
    for (const text of [example, composeText]) {
      const [, file = ''] = /KEK_FILE(?:=|:-)([^}\n]+)/.exec(text) ?? [];
      expect(path.relative(root, path.resolve(root, file))).toMatch(/^\.\./);
    }
  });

  test('no process but the migration knows the owner, and it gives each role its password', () => {
    const owners = Object.entries(compose.services).filter(([, given]) =>
      Object.values(given.environment).some((value) => value.includes('OWNER_DB_PASSWORD')),
    );
    expect(owners.map(([name]) => name)).toEqual(['postgres', 'migrate']);
    expect(Object.keys(service('migrate').environment)).toEqual(['DATABASE_URL', ...ROLES.map(passwordOf)]);
  });

  test('a variable without which production does not start is asked for before anything starts', () => {
    const asked = ROLES.flatMap((role) =>
      VARIABLE_NAMES.filter((name) => VARIABLES[name].required?.includes(role)).map((name) => ({ role, name })),
    );
    expect(asked).not.toEqual([]);
    for (const { role, name } of asked) expect(service(role).environment[name]).toContain(`\${${name}:?`);
  });
});

describe('the environment file of a role', () => {
  const namesIn = (text: string) => [...text.matchAll(/^#?([A-Z][A-Z\d_]*)=/gm)].map(([, name]) => name);

  test.each(ROLES)('of %s holds what it reads, once, and no secret of another', (role) => {
    const expected = [...readBy(role).filter((name) => name !== 'DATABASE_URL'), ...chainVariableNames()];
    expect(namesIn(roleFile(example, role)).sort()).toEqual(expected.sort());
  });

  test.each(ROLES)('of %s, filled in, lets it start in production', (role) => {
    const filled = roleFile(example, role)
      .replace('…', 'pw')
      .replace(/^(AUTH_SECRET|APP_SEAL_KEY)=$/gm, `$1=${Buffer.alloc(32, 1).toString('base64')}`)
      .replace(
        /^(SMTP_URL|ETH_RPC_URL)=$/gm,
        (_, name) => `${name}=${name === 'SMTP_URL' ? 'smtp' : 'http'}://127.0.0.1:1`,
      )
      .replace('TRUSTED_PROXIES=', 'TRUSTED_PROXIES=1');
    const variables = parseFile(filled);
    expect([foreignSecrets(variables, [role]), wrongLogins(variables, [role])]).toEqual([[], []]);
    const env = parseEnv(variables);
    expect(env[`${role.toUpperCase() as Uppercase<Role>}_DATABASE_URL`]).toContain(`//incassa_${role}:pw@`);
    expect(missingInProduction(env, env.chains, [role])).toEqual([]);
  });
});

describe('.env.example', () => {
  const named = [...example.matchAll(/^#?([A-Z][A-Z\d_]*)=/gm)].map(([, name]) => name ?? '');

  /** Read by docker compose alone, and by `npm start` alone. */
  const ELSEWHERE = ['POSTGRES_PASSWORD', 'OWNER_DB_PASSWORD', 'DATA_DIR'];

  test('it names every variable once, and none that does not exist', () => {
    expect([...named].sort()).toEqual([...VARIABLE_NAMES, ...chainVariableNames(), ...ELSEWHERE].sort());
  });

  test('it explains every variable in a line above it, or above a run of them', () => {
    const lines = example.split('\n');
    const isVariable = (line = '') => /^#?[A-Z][A-Z\d_]*=/.test(line);
    const bare = lines.filter(
      (line, at) => isVariable(line) && !isVariable(lines[at - 1]) && !/^# \S/.test(lines[at - 1] ?? ''),
    );
    expect(bare).toEqual([]);
    // A comment behind an empty value is a value to some readers of such files.
    expect(lines.filter((line) => isVariable(line) && line.includes(' #'))).toEqual([]);
  });

  test('it marks what production needs, and nothing else', () => {
    const marked = [...example.matchAll(/^# \* .*\n#?([A-Z\d_]+)=/gm)].map(([, name]) => name);
    const required = VARIABLE_NAMES.filter((name) => (VARIABLES[name].required ?? []).length > 0);
    expect(marked.sort()).toEqual([...required, 'DATABASE_URL', 'KEK_FILE'].sort());
  });

  test('as it stands the product reads it, with the defaults of the schema', () => {
    const env = parseEnv(parseFile(example));
    const defaults = parseEnv({});
    for (const name of [
      'PORT',
      'REGISTRATION',
      'TRUSTED_PROXIES',
      'RATE_REFRESH_MS',
      'RECONCILE_INTERVAL_MS',
    ] as const) {
      expect([name, env[name]]).toEqual([name, defaults[name]]);
    }
    expect(env.chains).toEqual({});
  });
});
