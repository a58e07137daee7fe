import { CHAIN_DEFINITIONS } from '@/lib/chains/registry';
import { type ChainConfigurations, chainVariable, NODE_VARIABLES } from './chain-variables';
import { type Role, VARIABLES } from './roles';
import type { VariableName, Variables } from './schema';

/** What a role needs beside the variables that it requires by name: one of each of these. */
export const ONE_OF: Partial<Record<Role, readonly (readonly VariableName[])[]>> = { signer: [['KEK_FILE', 'KEK']] };

/** @returns the switches that are on and safe on a local chain only; none outside `INCASSA_MODE=production` */
export function unsafeInProduction(env: Variables, chains: ChainConfigurations): string[] {
  if (env.INCASSA_MODE !== 'production') return [];
  const devnets = CHAIN_DEFINITIONS.filter(({ chain }) => chains[chain]?.settings.isDevnet);
  return [
    ...devnets.map((definition) => `${chainVariable(definition, 'DEVNET')}=1`),
    ...(env.WEBHOOK_ALLOW_LOOPBACK ? ['WEBHOOK_ALLOW_LOOPBACK=1'] : []),
  ];
}

/**
 * @returns the variables that processes of these roles lack, their database logins aside; none outside
 * `INCASSA_MODE=production`
 */
export function missingInProduction(env: Variables, chains: ChainConfigurations, roles: readonly Role[]): string[] {
  if (env.INCASSA_MODE !== 'production') return [];
  const lacks = (name: VariableName) => env[name] === undefined;
  const missing = roles.flatMap((role) => [
    ...(ONE_OF[role] ?? []).filter((names) => names.every(lacks)).map((names) => names.join(' or ')),
    ...requiredBy(role).filter(lacks),
    ...(role === 'web' && isBehindUnknownProxies(env) ? [PROXIES] : []),
  ]);
  return [...new Set(missing), ...(Object.keys(chains).length === 0 ? [NODE_VARIABLES.join(' or ')] : [])];
}

const PROXIES = 'TRUSTED_PROXIES (how many proxies are in front of web, or none)';

/** Web speaks no TLS: with an https address something is in front, and its own address would stand for every caller's. */
function isBehindUnknownProxies({ PUBLIC_URL, TRUSTED_PROXIES }: Variables): boolean {
  return PUBLIC_URL?.startsWith('https:') === true && TRUSTED_PROXIES === undefined;
}

function requiredBy(role: Role): VariableName[] {
  const names = Object.keys(VARIABLES) as VariableName[];
  return names.filter((name) => VARIABLES[name].required?.includes(role));
}
