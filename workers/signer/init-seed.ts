import { readFile } from 'node:fs/promises';
import { databaseUrl, env, requireForRoles } from '@/lib/config/env';
import { closeDatabase, openDatabase } from '@/lib/db/database';
import { adoptSeed } from '@/lib/keys/adopt-seed';
import { createSeed } from '@/lib/keys/create-seed';
import { loadKek } from '@/lib/keys/load-kek';
import { seedNetwork } from '@/lib/keys/seed-network';

const WORDS_FLAG = '--words';

/**
 * `npm run init [-- --words <file>]`: gives the instance its seed, once, and shows the 24 words once.
 * With `--words` the seed is the one on paper, read from a file. In embedded mode nothing is shown.
 */
async function main(): Promise<void> {
  requireForRoles(['signer']);
  const at = process.argv.indexOf(WORDS_FLAG);
  const file = at < 0 ? undefined : process.argv[at + 1];
  if (at >= 0 && !file) throw new Error(`${WORDS_FLAG} needs the file with the 24 words.`);
  const words = file ? await readFile(file, 'utf8') : undefined;
  const db = openDatabase(databaseUrl('signer'), { max: 1, applicationName: 'incassa-init' });
  try {
    const options = { network: seedNetwork(env()), kek: await loadKek(env()) };
    report(words === undefined ? await createSeed(db.pool, options) : await adoptSeed(db, { ...options, words }));
  } finally {
    await closeDatabase(db);
  }
}

function report(words: string | null): void {
  if (words === null) console.log('This instance already has its seed; nothing was changed.');
  else if (env().INCASSA_MODE === 'embedded') console.log('The instance seed was created.');
  else console.log(`Write these 24 words on paper, in this order. They are not shown again:\n\n${words}\n`);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
