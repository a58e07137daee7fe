import { describe, expect, test } from 'vitest';
import { foreignSecrets, SECRET_VARIABLES, withoutSecrets, wrongLogins } from './foreign-secrets';
import { ROLES, VARIABLES } from './roles';
import type { VariableName } from './schema';

const NAMES = Object.keys(VARIABLES) as VariableName[];
/** Every secret there is, at once. */
const ALL = Object.fromEntries(SECRET_VARIABLES.map((name) => [name, 'x']));

describe('secrets of others', () => {
  test('whatever is named like a secret is one', () => {
    const named = NAMES.filter((name) => /KEK|SECRET|PASSWORD|_KEY\b|DATABASE|SMTP/.test(name));
    expect(named).not.toEqual([]);
    expect(SECRET_VARIABLES).toEqual(expect.arrayContaining(named));
  });

  test.each(ROLES)('%s is told of every secret but its own', (role) => {
    const own = NAMES.filter((name) => VARIABLES[name].isSecret && VARIABLES[name].roles.includes(role));
    const foreign = SECRET_VARIABLES.filter((name) => name === 'DATABASE_URL' || !own.includes(name as VariableName));
    expect(foreignSecrets(ALL, [role])).toEqual(foreign);
    for (const name of ['POSTGRES_PASSWORD', 'WEB_DB_PASSWORD', 'DATABASE_URL']) expect(foreign).toContain(name);
    if (role !== 'signer') expect(foreign).toEqual(expect.arrayContaining(['KEK', 'KEK_FILE', 'SIGNER_DATABASE_URL']));
    if (role !== 'dispatcher') expect(foreign).toContain('SMTP_URL');
  });

  test('an empty text is no secret, and DATABASE_URL is the login of a role that has no variable of its own', () => {
    expect(foreignSecrets(withoutSecrets(ALL), ['web'])).toEqual([]);
    expect(foreignSecrets({ DATABASE_URL: 'x' }, ['web'])).toEqual([]);
    expect(foreignSecrets({ DATABASE_URL: 'x', WEB_DATABASE_URL: 'x' }, ['web'])).toEqual(['DATABASE_URL']);
    expect(foreignSecrets({ DATABASE_URL: 'x', WATCHER_DATABASE_URL: 'x' }, ['watcher', 'signer'])).toEqual([]);
  });
});

describe('the login that a process uses', () => {
  const url = (user: string) => `postgresql://${user}:pw@db.example/incassa`;

  test.each(['incassa_owner', 'postgres', 'incassa_signer', 'incassa_webmaster', ''])('is not %s for web', (user) => {
    for (const name of ['DATABASE_URL', 'WEB_DATABASE_URL'])
      expect(wrongLogins({ [name]: url(user) }, ['web'])).toEqual([`${name} of another login than incassa_web`]);
    expect(wrongLogins({ WEB_DATABASE_URL: url('incassa_web'), DATABASE_DIRECT_URL: url(user) }, ['web'])).toEqual([
      'DATABASE_DIRECT_URL of another login than incassa_web',
    ]);
  });

  test.each(['incassa_web', 'incassa_web.tenant', 'incassa_web%40server'])('may be %s', (user) => {
    expect(wrongLogins({ DATABASE_URL: url(user), DATABASE_DIRECT_URL: url(user) }, ['web'])).toEqual([]);
  });

  test('is its own for each role of a process, so that one variable does not serve two', () => {
    const source = { DATABASE_URL: url('incassa_watcher') };
    expect(wrongLogins(source, ['watcher', 'dispatcher'])).toEqual([
      'DATABASE_URL of another login than incassa_dispatcher',
    ]);
    expect(
      wrongLogins({ ...source, DISPATCHER_DATABASE_URL: url('incassa_dispatcher') }, ['watcher', 'dispatcher']),
    ).toEqual([]);
  });
});
