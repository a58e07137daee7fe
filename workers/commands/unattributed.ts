import { parseArgs } from 'node:util';
import { requireEnv } from '@/lib/config/env';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { attachDeposit, listUnattributed } from '@/lib/deposits/unattributed';
import { runCommand } from './run-command';

const USAGE = `Usage:
  npm run unattributed                                   lists money that still needs an owner
  npm run unattributed -- attach <id> <wallet|invoice> --operator <name> [--note <text>]`;

const PAGE_SIZE = 100;

async function list(db: Database): Promise<void> {
  for (let page = 1; ; page++) {
    const { items, total } = await listUnattributed(db, { page, pageSize: PAGE_SIZE });
    if (page === 1)
      console.log(total === 0 ? 'No unattributed money.' : `${total} unattributed deposits, newest first:`);
    for (const item of items) {
      const owner = item.ownerEmail ? ` (address of ${item.ownerEmail}, invoice ${item.invoiceUuid ?? 'none'})` : '';
      console.log(
        `${item.id}  ${item.timestamp}  ${item.amount} ${item.cryptoType} to ${item.address}${owner}  ${item.hash}`,
      );
    }
    if (page * PAGE_SIZE >= total) return;
  }
}

runCommand(async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { operator: { type: 'string' }, note: { type: 'string' } },
  });
  const [command, depositId, target] = positionals;
  const { operator, note = null } = values;
  const isAttach = command === 'attach' && depositId && target && operator;
  if (command !== undefined && !isAttach) throw new Error(USAGE);
  const db = openDatabase(requireEnv('DATABASE_URL'), { max: 1, applicationName: 'incassa-unattributed' });
  try {
    if (!isAttach) return await list(db);
    await attachDeposit(db, { depositId, target, operator, note });
    console.log(`Deposit ${depositId} belongs to ${target} now.`);
  } finally {
    await closeDatabase(db);
  }
});
