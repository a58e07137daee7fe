import { readFileSync, writeFileSync } from 'node:fs';
import { CONFIGURATION_FILES, withChains } from './chain-blocks';

/** `npm run configuration`: writes the variables of all chains into the files that name them. */
for (const { file, describe } of CONFIGURATION_FILES) {
  writeFileSync(file, withChains(readFileSync(file, 'utf8'), describe));
  console.log(`${file} is up to date.`);
}
