import type pg from 'pg';

/** Owns the functions and nothing else. Nobody logs in as it; the owner may hand functions over to it. */
const FUNCTIONS = 'incassa_functions';

/** Postgres 16 and newer make whoever creates a role its admin, and no more: the owner needs its rights too, to hand over. */
export async function ensureFunctionsRole(client: pg.Client): Promise<void> {
  const known = await client.query<{ rolcanlogin: boolean }>('SELECT rolcanlogin FROM pg_roles WHERE rolname = $1', [
    FUNCTIONS,
  ]);
  if (known.rowCount === 0) await client.query(`CREATE ROLE ${FUNCTIONS} NOLOGIN`);
  if (known.rows[0]?.rolcanlogin) await client.query(`ALTER ROLE ${FUNCTIONS} NOLOGIN`);
  const member = await client.query(`SELECT 1 WHERE pg_has_role(current_user, $1, 'USAGE')`, [FUNCTIONS]);
  if (member.rowCount === 0) await client.query(`GRANT ${FUNCTIONS} TO CURRENT_USER`);
}

/**
 * Hands every function of the schema over to their role. The migrations do it too; a dump that was restored by the owner does
 * not keep it, and a function would then act with all the rights of the owner.
 */
export async function handOverFunctions(client: pg.Client): Promise<void> {
  await client.query(`DO $$
    DECLARE "f" regprocedure;
    BEGIN
      IF NOT EXISTS (SELECT 1 FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proowner <> '${FUNCTIONS}'::regrole)
      THEN RETURN; END IF;
      GRANT CREATE ON SCHEMA public TO ${FUNCTIONS};
      FOR "f" IN SELECT oid::regprocedure FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace AND proowner <> '${FUNCTIONS}'::regrole
      LOOP EXECUTE format('ALTER FUNCTION %s OWNER TO ${FUNCTIONS}', "f"); END LOOP;
      REVOKE CREATE ON SCHEMA public FROM ${FUNCTIONS};
    END $$`);
}
