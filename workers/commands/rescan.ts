import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findRescan, insertRescan, type RescanRow } from '@/lib/chain-sync/rescan-repository';
import { requireEnv } from '@/lib/config/env';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { COIN_INFO, COINS } from '@/lib/shared/coins';
import { runCommand } from './run-command';

const USAGE = `Usage: npm run rescan -- <COIN> <from> [<to>] [--operator <name>]
  Reads the blocks <from>..<to> of the coin's chain again (without <to>: all that was read) and brings in what was missed.
  The watcher does it: the command waits for it, and may be ended meanwhile.`;

const POLL_MS = 500;

interface Arguments {
  coin: (typeof COINS)[number];
  fromHeight: bigint;
  toHeight: bigint | null;
  operator: string;
}

function readArguments(): Arguments {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { operator: { type: 'string', default: userInfo().username } },
  });
  const [name, from, to, ...rest] = positionals;
  const coin = COINS.find((known) => known === name);
  const isHeight = (text: string | undefined) => text === undefined || /^\d{1,15}$/.test(text);
  if (!coin || from === undefined || !isHeight(from) || !isHeight(to) || rest.length > 0 || !values.operator)
    throw new Error(USAGE);
  return { coin, fromHeight: BigInt(from), toHeight: to === undefined ? null : BigInt(to), operator: values.operator };
}

async function wait(db: Database, id: bigint): Promise<RescanRow> {
  let shown = '';
  for (;;) {
    const rescan = await findRescan(db.pool, id);
    const { nextHeight, toHeight, lastError } = rescan;
    const line = lastError === null ? `Next is block ${nextHeight} of ${toHeight}.` : `Tried again soon: ${lastError}`;
    if (line !== shown) console.log(line);
    shown = line;
    if (rescan.finishedAt) return rescan;
    await sleep(POLL_MS);
  }
}

/** `npm run rescan -- <COIN> <from>`: asks the watcher to read blocks again, and tells what it found. */
runCommand(async () => {
  const { coin, ...range } = readArguments();
  const db = openDatabase(requireEnv('DATABASE_URL'), { max: 1, applicationName: 'incassa-rescan' });
  try {
    const { chain } = COIN_INFO[coin];
    const asked = await insertRescan(db.pool, { chain, ...range });
    if (!asked) throw new Error(`No such blocks of ${chain} were read yet.`);
    console.log(`Blocks ${asked.fromHeight} to ${asked.toHeight} of ${chain} are read again by the watcher.`);
    const { foundDeposits } = await wait(db, asked.id);
    console.log(
      foundDeposits === 0 ? 'Nothing was missing.' : `${foundDeposits} deposits were missing and are in now.`,
    );
  } finally {
    await closeDatabase(db);
  }
});
