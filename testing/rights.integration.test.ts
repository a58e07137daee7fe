import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ROLES } from '@/lib/config/roles';
import { GRANT_MATRIX } from './grant-matrix';
import { grantedRights } from './granted-rights';
import { createTestDatabase, type TestDatabase } from './test-database';

const LOGINS = ROLES.map((role) => `incassa_${role}`);

describe('the rights in the database', () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  it('are those of the written matrix, right by right', async () => {
    expect(await grantedRights(test.db.pool)).toEqual(GRANT_MATRIX);
  });

  it('to functions are given to nobody by default', async () => {
    await test.db.pool.query('CREATE FUNCTION new_one() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$');
    const { rows } = await test.db.pool.query(
      `SELECT r.rolname FROM pg_roles r WHERE r.rolname = ANY($1) AND has_function_privilege(r.oid, 'new_one()', 'EXECUTE')`,
      [LOGINS],
    );
    await test.db.pool.query('DROP FUNCTION new_one()');
    expect(rows).toEqual([]);
  });

  it('make no login more than a login: no superuser, no role that makes roles, databases or other people’s rights its own', async () => {
    const { rows } = await test.db.pool.query(
      `SELECT r.rolname, r.rolsuper, r.rolcreaterole, r.rolcreatedb, r.rolreplication, r.rolbypassrls, r.rolcanlogin,
         array(SELECT m.roleid::regrole::text FROM pg_auth_members m WHERE m.member = r.oid) AS "memberOf"
       FROM pg_roles r WHERE r.rolname = ANY($1) ORDER BY r.rolname`,
      [[...LOGINS, 'incassa_functions']],
    );
    const nothing = {
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
    };
    const expected = [...LOGINS, 'incassa_functions'].toSorted().map((rolname) => ({
      rolname,
      ...nothing,
      rolcanlogin: rolname !== 'incassa_functions',
      memberOf: [],
    }));
    expect(rows).toEqual(expected);
  });

  it('leave the schema to an owner who is no superuser', async () => {
    const { rows } = await test.db.pool.query(
      `SELECT DISTINCT r.rolname, r.rolsuper FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner
       WHERE c.relnamespace = 'public'::regnamespace`,
    );
    expect(rows).toEqual([{ rolname: 'incassa_owner', rolsuper: false }]);
  });

  it('have every function act as a role that nobody logs in as, and that owns nothing else', async () => {
    const { rows } = await test.db.pool.query(
      `SELECT DISTINCT p.proowner::regrole::text AS owner, (SELECT array_agg(s) FROM unnest(p.proconfig) s WHERE s LIKE 'search_path=%') AS settings FROM pg_proc p
       WHERE p.pronamespace = 'public'::regnamespace`,
    );
    expect(rows).toEqual([{ owner: 'incassa_functions', settings: ['search_path=pg_catalog, public, pg_temp'] }]);
    const owned = await test.db.pool.query(
      `SELECT s.classid::regclass::text AS kind FROM pg_shdepend s JOIN pg_roles r ON r.oid = s.refobjid
       WHERE r.rolname = 'incassa_functions' AND s.deptype = 'o' AND s.classid <> 'pg_proc'::regclass
         AND s.dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    expect(owned.rows).toEqual([]);
  });

  it('let no login make temporary tables, or anything else of its own', async () => {
    const client = new pg.Client({ connectionString: inject('templateUrl') });
    await client.connect();
    const { rows } = await client
      .query(
        `SELECT rolname FROM pg_roles WHERE rolname = ANY($1) AND
           (has_database_privilege(oid, current_database(), 'TEMPORARY, CREATE') OR has_schema_privilege(oid, 'public', 'CREATE'))`,
        [[...LOGINS, 'incassa_functions']],
      )
      .finally(() => client.end());
    expect(rows).toEqual([]);
  });
});
