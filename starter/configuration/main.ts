import { readFileSync, writeFileSync } from 'node:fs';
import { ROLES } from '@/lib/config/roles';
import { CONFIGURATION_FILES, withChains } from './chain-blocks';
import { roleFile } from './role-file';

/**
 * `npm run configuration`: writes the variables of all chains into the files that name them. With a role it prints that
 * role's environment file instead, to be filled in: `npm run -s configuration -- web`.
 */
const [name] = process.argv.slice(2);
const role = ROLES.find((known) => known === name);
if (role) process.stdout.write(roleFile(readFileSync('.env.example', 'utf8'), role));
else if (name !== undefined) {
  console.error(`There is no role ${name}: ${ROLES.join(', ')}.`);
  process.exitCode = 1;
} else {
  for (const { file, describe } of CONFIGURATION_FILES) {
    writeFileSync(file, withChains(readFileSync(file, 'utf8'), describe));
    console.log(`${file} is up to date.`);
  }
}
