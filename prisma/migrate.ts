import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { env, requireEnv } from '@/lib/config/env';
import { writeCoinRules } from './coin-rules';
import { ensureFunctionsRole, handOverFunctions } from './functions-role';

const ROLES = [
  ['incassa_web', 'WEB_DB_PASSWORD'],
  ['incassa_watcher', 'WATCHER_DB_PASSWORD'],
  ['incassa_dispatcher', 'DISPATCHER_DB_PASSWORD'],
  ['incassa_signer', 'SIGNER_DB_PASSWORD'],
] as const;

/** Any number that nothing else uses: names the lock under which one migration runs at a time. */
const LOCK = 4_027_411;

/** Login roles are cluster-wide: made here, once, outside the migrations, which only grant to them. */
async function ensureRoles(client: pg.Client): Promise<void> {
  for (const [role, variable] of ROLES) {
    const password = env()[variable];
    const known = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
    if (known.rowCount === 0) await client.query(`CREATE ROLE ${role} NOLOGIN`);
    if (password) await client.query(`ALTER ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
  }
  await ensureFunctionsRole(client);
}

/**
 * A login that may make temporary tables can put them before the product's: none may. Said on every run, because neither a
 * copy of the database nor a restored dump keeps it.
 */
async function refuseTemporaryTables(client: pg.Client, database: string): Promise<void> {
  await client.query(`REVOKE TEMPORARY ON DATABASE ${client.escapeIdentifier(database)} FROM PUBLIC`);
}

/** What a migration cannot keep: said inside the migrated database on every run. */
async function complete(url: URL): Promise<void> {
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await handOverFunctions(client);
    await writeCoinRules(client);
  } finally {
    await client.end();
  }
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
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await ensureRoles(client);
    const code = await deploy();
    if (code !== 0) return code;
    await refuseTemporaryTables(client, database);
    await complete(url);
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
