import { type ChainConfigurations, parseChains } from './chain-variables';
import { foreignSecrets, wrongLogins } from './foreign-secrets';
import { missingInProduction, unsafeInProduction } from './production';
import type { Role } from './roles';
import { type VariableName, type Variables, VariablesSchema } from './schema';

/** The product's configuration: its variables, and the chains that have a node. */
export type Env = Variables & { chains: ChainConfigurations };

/**
 * Parses the environment. What is safe on a local chain only is refused in production, whoever starts the process.
 * @throws Error with one sentence that names each bad variable
 */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const own = VariablesSchema.safeParse(present);
  const chains = parseChains(present);
  const issues = own.success ? [] : own.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
  const reasons = [...issues, ...chains.problems];
  if (!own.success || reasons.length > 0) throw new Error(`Bad configuration: ${reasons.join('; ')}.`);
  const env = { ...own.data, chains: chains.configured };
  const unsafe = unsafeInProduction(env, env.chains);
  if (unsafe.length > 0) throw new Error(`INCASSA_MODE=production does not allow ${unsafe.join(' or ')}.`);
  return env;
}

let cached: Env | undefined;

/** The process's own configuration, read once. */
export function env(): Env {
  cached ??= parseEnv(process.env);
  return cached;
}

/** A variable that this process cannot do without. @throws Error that names it */
export function requireEnv<K extends VariableName>(name: K): NonNullable<Env[K]> {
  const value = env()[name];
  if (value === undefined || value === null) throw new Error(`Bad configuration: ${name} is required.`);
  return value as NonNullable<Env[K]>;
}

/**
 * What a process of these roles must not have, in any mode: a secret that is not its own, or the login of another. And
 * everything that it cannot do without: its login, and in production, where nothing is made up for it, what its roles
 * require.
 * @throws Error with one sentence that names each variable
 */
export function requireForRoles(roles: readonly Role[]): void {
  const foreign = [...foreignSecrets(process.env, roles), ...wrongLogins(process.env, roles)];
  if (foreign.length > 0) throw new Error(foreignMessage(foreign, roles));
  const logins = roles.filter((role) => !loginOf(role)).map((role) => `${loginVariable(role)} or DATABASE_URL`);
  const missing = [...logins, ...missingInProduction(env(), env().chains, roles)];
  if (missing.length > 0) throw new Error(`INCASSA_MODE=${env().INCASSA_MODE} needs ${missing.join(', ')}.`);
}

const foreignMessage = (names: readonly string[], roles: readonly Role[]) =>
  `A process that runs ${roles.join(' and ')} must not have ${names.join(', ')}: give it an environment of its own (docs/operations.md).`;

const loginVariable = (role: Role) => `${role.toUpperCase() as Uppercase<Role>}_DATABASE_URL` as const;
const loginOf = (role: Role) => env()[loginVariable(role)] ?? env().DATABASE_URL;

/** Connection string of a role: its own variable, else DATABASE_URL. @throws Error when neither is set */
export function databaseUrl(role: Role): string {
  const value = loginOf(role);
  if (!value) throw new Error(`Bad configuration: ${loginVariable(role)} or DATABASE_URL is required.`);
  return value;
}

/** Where to LISTEN: never a transaction pooler. */
export function directDatabaseUrl(role: Role): string {
  return env().DATABASE_DIRECT_URL ?? databaseUrl(role);
}

/** Public base URL of the instance, without a trailing slash. */
export function publicUrl(): string {
  return (env().PUBLIC_URL ?? `http://localhost:${env().PORT}`).replace(/\/$/, '');
}
