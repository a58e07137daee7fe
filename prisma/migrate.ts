import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { requireEnv } from '@/lib/config/env';
import { writeCoinRules } from './coin-rules';
import { handOverFunctions } from './functions-role';
import { ensureRoles } from './login-roles';
import { takeTurn } from './migration-turn';
import { checkRights } from './whole-rights';

/** Waits so long for another migration. */
const TURN_WITHIN_SECONDS = 60;

/** What a migration cannot keep, because neither a copy of the database nor a restored dump has it: said on every run. */
async function complete(url: URL, database: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    // Whoever does not own the database is told by the check.
    await client
      .query(`REVOKE TEMPORARY ON DATABASE ${client.escapeIdentifier(database)} FROM PUBLIC`)
      .catch(() => undefined);
    await handOverFunctions(client);
    await writeCoinRules(client);
    await checkRights(client);
    await tellRestore(client);
  } finally {
    await client.end();
  }
}

/** The database itself holds everything until then; this says so to who restored it. */
async function tellRestore(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isPending: boolean }>('SELECT is_restore_pending() AS "isPending"');
  if (rows[0]?.isPending)
    console.log(
      'This database was restored. No address is given away and no chain is read until the dispatcher runs: it takes out of use what the backup may have forgotten.',
    );
}

async function deploy(): Promise<number> {
  const cli = fileURLToPath(import.meta.resolve('prisma/build/index.js'));
  const child = spawn(process.execPath, [cli, 'migrate', 'deploy'], { stdio: 'inherit' });
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

/** `npm run migrate`: login roles, then every migration that the database lacks. Safe to run twice, also at once. */
async function main(): Promise<number> {
  const url = new URL(requireEnv('DATABASE_URL'));
  const database = decodeURIComponent(url.pathname.slice(1));
  const maintenance = Object.assign(new URL(url), { pathname: '/postgres' });
  const client = new pg.Client({ connectionString: maintenance.href, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await takeTurn(client, TURN_WITHIN_SECONDS);
    await ensureRoles(client, database);
    const code = await deploy();
    if (code !== 0) return code;
    await complete(url, database);
    return 0;
  } finally {
    await client.end();
  }
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  },
);
