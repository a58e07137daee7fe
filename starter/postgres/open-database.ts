import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../start-error';
import { SUPERUSER } from './create-cluster';
import { ensureProduct } from './product-owner';

const READY_WITHIN_MS = 60_000;
/** PostgreSQL's SQLSTATE for a login that it does not know, or another password. */
const INVALID_LOGIN = '28P01';

interface Urls {
  /** The owner's connection to the product's database. */
  ownerUrl: string;
  /** The superuser's to the same. */
  superuserUrl: string;
}

/**
 * Waits until a server that was just started takes connections, and creates the product's owner and database unless they are
 * there.
 *
 * @param ended resolves when the server ends
 * @param lastLines the end of its log, for the reason of a failure
 * @throws {StartError} when it ends or does not get ready in time
 */
export async function openDatabase(urls: Urls, ended: Promise<string>, lastLines: string[]): Promise<void> {
  let gone = false;
  void ended.then(() => {
    gone = true;
  });
  for (const deadline = Date.now() + READY_WITHIN_MS; Date.now() < deadline; await sleep(50)) {
    if (gone) throw new StartError(`Postgres did not start: ${reasonIn(lastLines)}`);
    const client = await connectAsSuperuser(urls);
    if (!client) continue;
    await ensureProduct(client, urls.ownerUrl).finally(() => client.end());
    return;
  }
  throw new StartError(`Postgres was not ready within ${READY_WITHIN_MS / 1000} s: ${reasonIn(lastLines)}`);
}

/** @returns null while the server takes no connection */
async function connectAsSuperuser({ ownerUrl, superuserUrl }: Urls): Promise<pg.Client | null> {
  const client = await connect(superuserUrl);
  if (client !== INVALID_LOGIN) return client;
  // A cluster of an older version, whose owner was the superuser.
  const owner = await connect(ownerUrl);
  if (owner === null) return null;
  if (owner === INVALID_LOGIN) throw new StartError('The database does not take the password that is kept beside it.');
  const password = owner.escapeLiteral(decodeURIComponent(new URL(superuserUrl).password));
  const known = await owner.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [SUPERUSER]);
  await owner
    .query(`${known.rowCount === 0 ? 'CREATE' : 'ALTER'} ROLE ${SUPERUSER} SUPERUSER LOGIN PASSWORD ${password}`)
    .finally(() => owner.end());
  return null;
}

async function connect(url: string): Promise<pg.Client | null | typeof INVALID_LOGIN> {
  const client = new pg.Client({
    connectionString: Object.assign(new URL(url), { pathname: '/postgres' }).href,
    connectionTimeoutMillis: 5_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === INVALID_LOGIN ? INVALID_LOGIN : null;
  }
}

function reasonIn(lines: string[]): string {
  const fatal =
    lines.findLast((line) => /\b(FATAL|PANIC|LOG: {2}could not)/.test(line)) ?? lines.at(-1) ?? 'it said nothing';
  return fatal.replace(/^.*?\b(FATAL|PANIC|LOG|HINT): */, '');
}
