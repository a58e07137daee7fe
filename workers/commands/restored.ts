import { parseArgs } from 'node:util';
import { databaseUrl } from '@/lib/config/env';
import { closeDatabase, openDatabase } from '@/lib/db/database';
import { BURNED_AT_LEAST } from '@/lib/shared/limits';
import { beginRestore } from '@/lib/wallets/restore-repository';
import { runCommand } from './run-command';

const USAGE = `Usage: npm run restored -- [--window <n>]
  --window <n>  addresses of each key to take out of use, at least ${BURNED_AT_LEAST}: more than were given away since the backup`;

const MOST = 200_000;

/** `npm run restored`: says that the database is a restored one, where nothing in it tells (a copied folder, a snapshot). */
runCommand(async () => {
  const { values } = parseArgs({ options: { window: { type: 'string' } } });
  const atLeast = values.window === undefined ? BURNED_AT_LEAST : Number(values.window);
  if (!Number.isInteger(atLeast) || atLeast < BURNED_AT_LEAST || atLeast > MOST) throw new Error(USAGE);
  const db = openDatabase(databaseUrl('dispatcher'), { max: 1, applicationName: 'incassa-restored' });
  try {
    const { began } = await beginRestore.one(db.pool, { reason: 'operator', atLeast });
    console.log(
      began
        ? 'Noted. No address is given away and no chain is read until the dispatcher has taken out of use what the backup may have forgotten.'
        : 'This restore is known, and the dispatcher is at it.',
    );
  } finally {
    await closeDatabase(db);
  }
});
