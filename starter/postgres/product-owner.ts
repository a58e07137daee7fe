import pg from 'pg';

/** The login that migrates and that no running process of the product uses. It owns the product's database and is no superuser. */
export const OWNER = 'incassa_owner';

/** What the owner of a cluster of an older version is called from then on. Postgres keeps it, as the cluster's first superuser. */
const FORMER = 'incassa_former_owner';

/** Hands over everything in the schema that a login owns; the parts of a table (sequences of its columns) follow it. */
const HAND_OVER = (from: string) => `DO $$
  DECLARE "o" record;
  BEGIN
    FOR "o" IN SELECT c.oid::regclass AS name FROM pg_class c
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'v', 'm', 'p') AND c.relowner = '${from}'::regrole
    LOOP EXECUTE format('ALTER TABLE %s OWNER TO ${OWNER}', "o".name); END LOOP;
    FOR "o" IN SELECT t.oid::regtype AS name FROM pg_type t
      WHERE t.typnamespace = 'public'::regnamespace AND t.typtype IN ('e', 'd') AND t.typowner = '${from}'::regrole
    LOOP EXECUTE format('ALTER TYPE %s OWNER TO ${OWNER}', "o".name); END LOOP;
    FOR "o" IN SELECT p.oid::regprocedure AS name FROM pg_proc p
      WHERE p.pronamespace = 'public'::regnamespace AND p.proowner = '${from}'::regrole
    LOOP EXECUTE format('ALTER FUNCTION %s OWNER TO ${OWNER}', "o".name); END LOOP;
  END $$`;

/**
 * Makes the product's owner and its database, unless they are there. The owner may make roles, because migrations need the
 * login of each process, and nothing else that is not its own.
 *
 * @param superuser a connection to the database `postgres`
 * @param ownerUrl the owner's connection to the product's database, from which its password is read
 */
export async function ensureProduct(superuser: pg.Client, ownerUrl: string): Promise<void> {
  const { password, pathname } = new URL(ownerUrl);
  const database = pathname.slice(1);
  const owner = await superuser.query<{ rolsuper: boolean }>('SELECT rolsuper FROM pg_roles WHERE rolname = $1', [
    OWNER,
  ]);
  if (owner.rows[0]?.rolsuper) await superuser.query(`ALTER ROLE ${OWNER} RENAME TO ${FORMER}`);
  const { rowCount } = await superuser.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [OWNER]);
  if (rowCount === 0) {
    const secret = superuser.escapeLiteral(decodeURIComponent(password));
    await superuser.query(`CREATE ROLE ${OWNER} LOGIN CREATEROLE PASSWORD ${secret}`);
  }
  const known = await superuser.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
  if (known.rowCount === 0) {
    await superuser.query(`CREATE DATABASE ${superuser.escapeIdentifier(database)} OWNER ${OWNER}`);
  }
  const former = await superuser.query('SELECT 1 FROM pg_roles WHERE rolname = $1 AND rolcanlogin', [FORMER]);
  if (former.rowCount !== 0) await takeOver(superuser, database);
}

/**
 * Gives a database of an older version, and the processes' logins, to the owner who is no superuser; at last the former one
 * logs in no more, which tells that all is done. Killed before, it is done again.
 */
async function takeOver(superuser: pg.Client, database: string): Promise<void> {
  await superuser.query(`ALTER DATABASE ${superuser.escapeIdentifier(database)} OWNER TO ${OWNER}`);
  await superuser.query(`DO $$
    DECLARE "r" record;
    BEGIN
      FOR "r" IN SELECT rolname FROM pg_roles WHERE rolname IN ('incassa_web', 'incassa_watcher', 'incassa_dispatcher', 'incassa_signer')
      LOOP EXECUTE format('GRANT %I TO ${OWNER} WITH ADMIN TRUE, INHERIT FALSE, SET FALSE', "r".rolname); END LOOP;
    END $$`);
  const { host, port, user, password } = superuser;
  const inside = new pg.Client({
    host,
    port,
    database,
    ...(user === undefined ? {} : { user }),
    password: String(password),
  });
  await inside.connect();
  try {
    await inside.query(`ALTER SCHEMA public OWNER TO pg_database_owner`);
    await inside.query(HAND_OVER(FORMER));
  } finally {
    await inside.end();
  }
  await superuser.query(`ALTER ROLE ${FORMER} NOLOGIN PASSWORD NULL`);
}
