import { setAdmin } from '@/lib/auth/set-admin';
import { requireEnv } from '@/lib/config/env';
import { closeDatabase, openDatabase } from '@/lib/db/database';
import { runCommand } from './run-command';

const USAGE = 'Usage: npm run admin -- grant|revoke <email>';

/** `npm run admin -- grant <email>`: makes a registered person an operator; `revoke` takes it back. */
runCommand(async () => {
  const [action, email, ...rest] = process.argv.slice(2);
  if ((action !== 'grant' && action !== 'revoke') || !email || rest.length > 0) throw new Error(USAGE);
  const db = openDatabase(requireEnv('DATABASE_URL'), { max: 1, applicationName: 'incassa-admin' });
  try {
    if (!(await setAdmin(db, email, action === 'grant'))) throw new Error(`Nobody is registered as ${email}.`);
    console.log(`${email} is ${action === 'grant' ? 'an admin now' : 'no admin any more'}.`);
  } finally {
    await closeDatabase(db);
  }
});
