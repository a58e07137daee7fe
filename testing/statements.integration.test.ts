import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { knownStatements } from '@/lib/db/statement';
import { READS_BESIDE_WAIT } from './lock-exceptions';
import { locksWithoutOrder, readsBesideWait, statementsOf } from './lock-rules';
import {
  declaresStatements,
  nameViolations,
  OWNERS,
  ownerViolations,
  type Source,
  sourceViolations,
  writtenTables,
} from './statement-rules';
import { createTestDatabase, type TestDatabase } from './test-database';

const ROOT = resolve(import.meta.dirname, '..');

async function readSources(): Promise<Source[]> {
  const files = await readdir(join(ROOT, 'lib'), { recursive: true, withFileTypes: true });
  const paths = files
    .filter((file) => file.isFile() && /(?<!\.test)\.ts$/.test(file.name))
    .map((file) => relative(ROOT, join(file.parentPath, file.name)))
    .filter((path) => !path.startsWith('lib/db/generated/'));
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(ROOT, path), 'utf8') })));
}

describe('the declared statements', () => {
  let test: TestDatabase;
  let sources: Source[];

  beforeAll(async () => {
    test = await createTestDatabase();
    sources = await readSources();
    for (const { path } of sources.filter(declaresStatements)) await import(/* @vite-ignore */ join(ROOT, path));
  });
  afterAll(() => test.drop());

  /** What Postgres objects to in a statement, or null. */
  async function objection({ name, text }: { name: string; text: string }): Promise<string | null> {
    const client = await test.db.pool.connect();
    try {
      await client.query(`PREPARE tried AS ${text}`);
      await client.query('DEALLOCATE tried');
      return null;
    } catch (error) {
      return `${name}: ${error instanceof Error ? error.message : error}`;
    } finally {
      client.release();
    }
  }

  it('are understood by Postgres against the migrated schema, every one', async () => {
    expect(knownStatements().length).toBeGreaterThan(40);
    const objections: string[] = [];
    for (const known of knownStatements()) objections.push((await objection(known)) ?? '');
    expect(objections.filter(Boolean)).toEqual([]);
    expect(await objection({ name: 'planted', text: 'SELECT e_mail FROM user_account' })).toContain('e_mail');
  });

  it('have names of their own that tell their place', () => {
    const names = knownStatements().map(({ name }) => name);
    expect(nameViolations(names, sources)).toEqual([]);
  });

  it('are in repositories, and there is no other SQL', () => {
    expect(sources.length).toBeGreaterThan(100);
    expect(sourceViolations(sources)).toEqual([]);
  });

  it('write the tables of their own domain only', () => {
    expect(ownerViolations(knownStatements())).toEqual([]);
  });

  it('read nothing beside rows that they may wait for, and neither do the functions of the database', async () => {
    const { rows } = await test.db.pool.query<{ name: string; body: string; isStable: boolean }>(
      `SELECT proname AS name, prosrc AS body, provolatile <> 'v' AS "isStable" FROM pg_proc
       WHERE pronamespace = 'public'::regnamespace ORDER BY proname`,
    );
    // What is not volatile reads in the snapshot of whoever calls it.
    const readers = rows.filter(({ isStable }) => isStable).map(({ name }) => name);
    const found = [
      ...knownStatements().map(({ name, text }) => ({ name, reads: readsBesideWait(text, readers) })),
      ...rows.flatMap(({ name, body }) =>
        statementsOf(body).map((text) => ({ name, reads: readsBesideWait(text, readers) })),
      ),
    ].filter(({ reads }) => reads.length > 0);
    const excepted = READS_BESIDE_WAIT.map(({ name, reads }) => ({ name, reads }));
    const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);
    expect(found.sort(byName)).toEqual(excepted.sort(byName));
    expect(readers).toContain('invoice_facts');
  });

  it('wait for several rows in an order of their own only, and so do the functions of the database', async () => {
    const { rows } = await test.db.pool.query<{ name: string; body: string }>(
      `SELECT proname AS name, prosrc AS body FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
    );
    const bodies = rows.flatMap(({ name, body }) => statementsOf(body).map((text) => ({ name, text })));
    expect([...knownStatements(), ...bodies].filter(({ text }) => locksWithoutOrder(text))).toEqual([]);
    expect(locksWithoutOrder('SELECT id FROM invoice WHERE id = ANY($1) FOR NO KEY UPDATE')).toBe(true);
    expect(locksWithoutOrder('SELECT id FROM invoice WHERE id IN (SELECT 1 ORDER BY 1) FOR UPDATE')).toBe(true);
    expect(locksWithoutOrder('SELECT id FROM invoice WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE')).toBe(false);
  });

  it.each(READS_BESIDE_WAIT.map((exception) => [exception.name, exception] as const))(
    'may read beside a wait only where that is harmless: %s',
    async (name, { isTrue }) => {
      const { rows } = await test.db.pool.query<{ body: string }>(
        'SELECT prosrc AS body FROM pg_proc WHERE proname = $1',
        [name],
      );
      const text = knownStatements().find((known) => known.name === name)?.text ?? rows[0]?.body ?? '';
      expect(isTrue({ text, statements: knownStatements(), sources })).toBe(true);
    },
  );

  it('belong to a schema in which every table has its owner', async () => {
    const { rows } = await test.db.pool.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables
       WHERE table_schema = 'public' AND table_name NOT LIKE E'\\\\_prisma%'`,
    );
    expect(Object.keys(OWNERS).sort()).toEqual(rows.map(({ name }) => name).sort());
  });
});

describe('each rule catches what breaks it', () => {
  const source = (path: string, text: string): Source => ({ path, text });

  it.each([
    ['lib/mail/send.ts', 'await sql.query("SELECT 1")', 'runs SQL'],
    ['lib/mail/repository.ts', 'await sql.query<{ id: bigint }>(`SELECT 1`)', 'runs SQL'],
    ['lib/mail/repository.ts', 'await sql.query<\n  Row\n>(`SELECT 1`)', 'runs SQL'],
    ['lib/mail/send.ts', "const a = statement('mail.a', 'SELECT 1');", 'no repository'],
    ['lib/mail/send.ts', "const a = statement<Params, Row>('mail.a', 'SELECT 1');", 'no repository'],
    ['lib/mail/my-repository-tools.ts', "const a = statement('mail.a', 'SELECT 1');", 'no repository'],
  ])('%s with %j', (path, text, sentence) => {
    expect(sourceViolations([source(path, text)]).join()).toContain(sentence);
  });

  it('a name that is used twice, stands in two files, lies in another room, or is too long', () => {
    const mail = source('lib/mail/repository.ts', "statement('mail.a', 'SELECT 1')");
    expect(nameViolations(['mail.a'], [mail])).toEqual([]);
    expect(nameViolations(['mail.a', 'mail.a'], [mail])).toEqual(['mail.a is declared twice']);
    const rates = source('lib/rates/repository.ts', "statement('mail.a', 'SELECT 1')");
    expect(nameViolations(['mail.a'], [mail, rates])).toEqual(['mail.a is named in 2 files']);
    expect(nameViolations(['mail.a'], [rates])).toEqual(['mail.a is declared in lib/rates/repository.ts']);
    const odd = source('lib/mail/repository.ts', "'mail.find_one'");
    expect(nameViolations(['mail.find_one'], [odd])).toEqual(['mail.find_one is no <domain>.<what> with hyphens']);
    const long = `mail.${'a'.repeat(60)}`;
    expect(nameViolations([long], [source('lib/mail/repository.ts', `'${long}'`)])).toEqual([`${long} is too long`]);
  });

  it.each([
    ['UPDATE api_key k SET webhook_url = NULL', ['api_key']],
    [
      'WITH a AS (DELETE FROM webhook_attempt RETURNING 1) INSERT INTO "outgoing_mail" SELECT 1',
      ['webhook_attempt', 'outgoing_mail'],
    ],
    ['INSERT INTO coin_rate (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET a = 2', ['coin_rate']],
    ['insert into coin_rate select 1', ['coin_rate']],
    ['SELECT id FROM invoice i FOR NO KEY UPDATE OF i SKIP LOCKED', []],
    ['SELECT id FROM invoice FOR UPDATE SKIP LOCKED', []],
  ])('%s writes %j', (text, tables) => {
    expect(writtenTables(text)).toEqual(tables);
  });

  it.each([
    // A settlement that waits for its invoice and knows the owner's policy from before.
    [
      `SELECT i.id, u.late_policy FROM invoice i JOIN user_account u ON u.id = i.user_id WHERE i.id = $1 FOR NO KEY UPDATE OF i`,
      ['user_account'],
    ],
    [
      `SELECT id, (SELECT count(*) FROM invoice_event e WHERE e.invoice_id = i.id) FROM invoice i FOR UPDATE OF i`,
      ['invoice_event'],
    ],
    ['UPDATE invoice SET status = $1 WHERE NOT EXISTS (SELECT 1 FROM "deposit" d)', ['deposit']],
    [
      'UPDATE invoice i SET email = u.email FROM wallet w, user_account u WHERE u.id = i.user_id',
      ['user_account', 'wallet'],
    ],
    ['DELETE FROM settlement_task t USING invoice i WHERE i.wallet_id = t.wallet_id', ['invoice']],
    [
      'INSERT INTO coin_rate (rate) SELECT 1 FROM reconciliation ON CONFLICT (coin) DO UPDATE SET rate = 2',
      ['reconciliation'],
    ],
    ['UPDATE invoice SET paid_at = f.at FROM invoice_facts(invoice) f', ['invoice_facts']],
    ['SELECT i.id FROM invoice i WHERE i.id = ANY($1) ORDER BY i.id FOR NO KEY UPDATE', []],
    ['SELECT i.id FROM invoice i JOIN user_account u ON true FOR NO KEY UPDATE OF i SKIP LOCKED', []],
    [
      'UPDATE pool_address p SET claimed_at = now() WHERE id = (SELECT f.id FROM pool_address f, deposit FOR UPDATE OF f SKIP LOCKED)',
      [],
    ],
    ['SELECT late_policy FROM user_account JOIN invoice ON true', []],
    [`UPDATE invoice SET status = 'paid' -- as in deposit`, []],
  ])('%s reads %j beside its wait', (text, tables) => {
    expect(readsBesideWait(text, ['invoice_facts'])).toEqual(tables);
  });

  it('the statements of a function, each with what is asked before it', () => {
    const body = `DECLARE "i" "invoice"%ROWTYPE; BEGIN SELECT * INTO "i" FROM "invoice" FOR UPDATE;
      IF (SELECT true FROM "user_account") THEN UPDATE "invoice" SET "paid_at" = NULL; END IF; END`;
    expect(statementsOf(body).map((text) => readsBesideWait(text))).toEqual([[], ['user_account']]);
  });

  it("a statement that writes another domain's table, or nobody's", () => {
    const planted = (text: string) => ownerViolations([{ name: 'webhooks.planted', text }]);
    expect(planted('UPDATE webhook_delivery SET url = $1')).toEqual([]);
    expect(planted('UPDATE api_key SET webhook_url = NULL')).toEqual([
      'webhooks.planted writes api_key, which belongs to api-keys',
    ]);
    expect(planted('INSERT INTO forgotten (a) VALUES (1)')).toEqual([
      'webhooks.planted writes forgotten, which belongs to nobody',
    ]);
  });
});
