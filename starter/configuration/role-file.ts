import { chainVariableNames } from '@/lib/config/chain-variables';
import { type Role, VARIABLES } from '@/lib/config/roles';

const VARIABLE = /^#?([A-Z][A-Z\d_]*)=/;
const MARK = /^# chains: /;

/**
 * The environment file of one process: of `.env.example` what that process reads, with the words above it, and its own
 * login in the place of the owner's.
 * @param example text of `.env.example`
 */
export function roleFile(example: string, role: Role): string {
  const login = `${role.toUpperCase()}_DATABASE_URL`;
  const roles: Record<string, { roles: readonly Role[] }> = VARIABLES;
  const isRead = (name: string) =>
    chainVariableNames().includes(name) || (name !== 'DATABASE_URL' && roles[name]?.roles.includes(role) === true);
  const written = [`# ${role} of Incassa: readable by its own user alone, and loaded with --env-file`];
  let comments: string[] = [];
  let wasVariable = false;
  for (const line of example.split('\n')) {
    const [, name] = VARIABLE.exec(line) ?? [];
    if (name === login) {
      written.push('# * its login', `${login}=postgresql://incassa_${role}:…@localhost:5432/incassa`);
    } else if (name !== undefined && isRead(name)) {
      written.push(...comments, line);
      comments = [];
    } else if (name === undefined) {
      if (wasVariable || line === '') comments = [];
      if (line !== '' && !MARK.test(line)) comments.push(line);
    }
    wasVariable = name !== undefined;
  }
  return `${written.join('\n')}\n`;
}
