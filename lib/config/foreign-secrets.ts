import { type Role, VARIABLES } from './roles';
import type { VariableName } from './schema';

type Source = Record<string, string | undefined>;

const NAMES = Object.keys(VARIABLES) as VariableName[];

/** Secrets that no process of the product reads: docker compose's superuser and owner of the database, and the devnet's control. */
const OTHER_SECRETS = ['POSTGRES_PASSWORD', 'OWNER_DB_PASSWORD', 'DEVNET_CONTROL_TOKEN'] as const;

/** Names of all variables that hold a secret, or say where one lies. */
export const SECRET_VARIABLES: readonly string[] = [
  ...NAMES.filter((name) => VARIABLES[name].isSecret),
  ...OTHER_SECRETS,
];

const ownLogin = (role: Role) => `${role.toUpperCase()}_DATABASE_URL`;

/** @returns the secrets in an environment that processes of these roles have no use for; an empty text counts as absent */
export function foreignSecrets(source: Source, roles: readonly Role[]): string[] {
  const isRead = (name: string) => {
    // Where each role has its own variable, this one would be read by nobody: it is the owner's.
    if (name === 'DATABASE_URL') return roles.some((role) => !source[ownLogin(role)]);
    return name in VARIABLES && VARIABLES[name as VariableName].roles.some((role) => roles.includes(role));
  };
  return SECRET_VARIABLES.filter((name) => source[name] && !isRead(name));
}

/**
 * The login of a role is named `incassa_<role>` (prisma/migrate.ts). Poolers of several databases add a dot or an at sign
 * and the database's name to it.
 * @returns what these roles would log in with as somebody else, e.g. `DATABASE_URL of another login than incassa_web`
 */
export function wrongLogins(source: Source, roles: readonly Role[]): string[] {
  const used = roles.map((role) => ({ name: source[ownLogin(role)] ? ownLogin(role) : 'DATABASE_URL', users: [role] }));
  const listening = roles.filter((role) => VARIABLES.DATABASE_DIRECT_URL.roles.includes(role));
  const all = [...used, ...(listening.length > 0 ? [{ name: 'DATABASE_DIRECT_URL', users: listening }] : [])];
  return all.flatMap(({ name, users }) => {
    const url = source[name];
    const logins = users.map((role) => `incassa_${role}`);
    if (!url || logins.includes(userOf(url).split(/[.@]/, 1)[0] ?? '')) return [];
    return [`${name} of another login than ${logins.join(' or ')}`];
  });
}

function userOf(url: string): string {
  return URL.canParse(url) ? decodeURIComponent(new URL(url).username) : '';
}

/** An environment for a program that needs no secret: all emptied rather than left out, so that no `.env` file brings one back. */
export function withoutSecrets<S extends Source>(source: S): S {
  return { ...source, ...Object.fromEntries(SECRET_VARIABLES.map((name) => [name, ''])) };
}
