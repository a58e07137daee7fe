import type { TestProject } from 'vitest/node';
import type { ProvidedServer } from './database-server';
import { SERVER_VARIABLE } from './mutant-environment';

/** In the place of testing/global-setup.ts: the server that runs already. @throws Error when `npm run mutants` did not start this */
export default function setup(project: TestProject): void {
  const server = process.env[SERVER_VARIABLE];
  if (server === undefined) throw new Error(`${SERVER_VARIABLE} is not set: start this with "npm run mutants".`);
  const { templateUrl, superuserUrl, rolePasswords } = JSON.parse(server) as ProvidedServer;
  project.provide('templateUrl', templateUrl);
  project.provide('superuserUrl', superuserUrl);
  project.provide('rolePasswords', rolePasswords);
}
