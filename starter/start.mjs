// `npm start`: installs what is missing, then hands over to run-starter.ts.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installDependencies } from './install-dependencies.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);

try {
  await installDependencies(root);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
if (existsSync('.env')) process.loadEnvFile('.env');
const { register } = await import('tsx/esm/api');
register({ tsconfig: path.join(root, 'tsconfig.json') });
const { runStarter } = await import('./run-starter.ts');
await runStarter(root);
