import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { knownStatements } from '@/lib/db/statement';
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
