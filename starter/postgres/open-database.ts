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
 * @param tell takes a sentence for the operator: a superuser whose password is lost stops nothing
 * @throws {StartError} when it ends or does not get ready in time, or lets neither superuser nor owner in
 */
export async function openDatabase(
  urls: Urls,
  ended: Promise<string>,
  lastLines: string[],
  tell: (sentence: string) => void,
): Promise<void> {
  let gone = false;
  void ended.then(() => {
    gone = true;
  });
  for (const deadline = Date.now() + READY_WITHIN_MS; Date.now() < deadline; await sleep(50)) {
    if (gone) throw new StartError(`Postgres did not start: ${reasonIn(lastLines)}`);
    const superuser = await connect(urls.superuserUrl);
    if (superuser === INVALID_LOGIN) {
      if ((await withoutSuperuser(urls)) !== 'complete') continue;
      tell(
        `The superuser ${SUPERUSER} does not take the password that is kept beside the database: going on without it.`,
      );
      return;
    }
    if (!superuser) continue;
    await ensureProduct(superuser, urls.ownerUrl).finally(() => superuser.end());
    return;
  }
  throw new StartError(`Postgres was not ready within ${READY_WITHIN_MS / 1000} s: ${reasonIn(lastLines)}`);
}

/**
 * Asks the owner. In a cluster of an older version that was the superuser, and makes the new one; in any other it owns the
 * product's database, and the product needs no more.
 * @returns `again` when there is a superuser now, or the server takes no connection yet
 */
async function withoutSuperuser({ ownerUrl, superuserUrl }: Urls): Promise<'again' | 'complete'> {
  const owner = await connect(ownerUrl);
  if (owner === null) return 'again';
  if (owner === INVALID_LOGIN) throw new StartError('The database does not take the password that is kept beside it.');
  try {
    const { rows } = await owner.query<{ isSuperuser: boolean; isComplete: boolean; isKnown: boolean }>(
      `SELECT rolsuper AS "isSuperuser", EXISTS (SELECT FROM pg_database WHERE datname = $1) AS "isComplete",
         EXISTS (SELECT FROM pg_roles WHERE rolname = $2) AS "isKnown"
       FROM pg_roles WHERE rolname = current_user`,
      [new URL(ownerUrl).pathname.slice(1), SUPERUSER],
    );
    if (!rows[0]?.isSuperuser) {
      if (rows[0]?.isComplete) return 'complete';
      throw new StartError(`The database was never completed, and only ${SUPERUSER} could, whose password is lost.`);
    }
    const password = owner.escapeLiteral(decodeURIComponent(new URL(superuserUrl).password));
    await owner.query(`${rows[0].isKnown ? 'ALTER' : 'CREATE'} ROLE ${SUPERUSER} SUPERUSER LOGIN PASSWORD ${password}`);
    return 'again';
  } finally {
    await owner.end();
  }
}

/** @returns null while the server takes no connection */
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
    await client.end();
    return error instanceof Error && 'code' in error && error.code === INVALID_LOGIN ? INVALID_LOGIN : null;
  }
}

function reasonIn(lines: string[]): string {
  const fatal =
    lines.findLast((line) => /\b(FATAL|PANIC|LOG: {2}could not)/.test(line)) ?? lines.at(-1) ?? 'it said nothing';
  return fatal.replace(/^.*?\b(FATAL|PANIC|LOG|HINT): */, '');
}
