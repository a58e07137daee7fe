import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { CreatedApiKeyView } from '@/lib/api-schema/api-keys';
import { SessionView } from '@/lib/api-schema/auth';
import { callRoute } from '@/testing/call-route';
import { stubWebEnvironment, TEST_AUTH_SECRET, TEST_SEAL_KEY } from '@/testing/stub-web-environment';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { POST as reveal } from './apikeys/[id]/reveal/route';
import { POST as createKey, GET as listKeys } from './apikeys/route';
import { POST as login } from './auth/login/route';
import { GET as me } from './auth/me/route';
import { POST as register } from './auth/register/route';
import { GET as listInvoices } from './invoices/route';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  stubWebEnvironment(database.roleUrl('web'), { LOG_LEVEL: 'trace' });
});
afterAll(() => database.drop());

it('holds no password, token, API key, webhook secret or configuration secret at the loudest level (F7)', async () => {
  const lines: string[] = [];
  // Pino writes through process.stdout when its `write` was replaced before the logger was made.
  const output = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => lines.push(String(chunk)) > 0);
  const person = { name: 'Rossi', email: 'rossi@example.it', password: 'correct horse battery' };
  const { token } = SessionView.parse((await callRoute(register, { json: person })).body);
  await callRoute(login, { json: { ...person, password: 'wrong-secret-guess' } });
  await callRoute(login, { json: person });
  await callRoute(me, { token });
  await callRoute(me, { token: `${token}x` });
  const { key, secret, uuid } = CreatedApiKeyView.parse(
    (await callRoute(createKey, { token, json: { name: 'a' } })).body,
  );
  await callRoute(reveal, { method: 'POST', token, params: { id: uuid } });
  await callRoute(listInvoices, { headers: { 'X-API-Key': key } });
  await callRoute(listInvoices, { headers: { 'X-API-Key': `${key}x` } });
  await callRoute(listInvoices, { path: '/api/invoices?searchKeyword=private', token });
  await database.db.pool.query('ALTER TABLE api_key RENAME TO api_key_away');
  const broken = await callRoute(listKeys, { token });
  await callRoute(listInvoices, { headers: { 'X-API-Key': key } });
  output.mockRestore();

  expect(broken).toMatchObject({ status: 500, body: { code: 'internal_error' } });
  expect(JSON.stringify(broken.body)).not.toMatch(/api_key|relation|select/i);
  const log = lines.join('');
  expect(log).toContain(`"requestId":"${broken.body.requestId}"`);
  expect(log).toMatch(/api_key.*does not exist/);
  const secrets = [person.password, 'wrong-secret-guess', token, key, secret, 'private', '$argon2id'];
  for (const each of [...secrets, TEST_AUTH_SECRET, TEST_SEAL_KEY.toString('base64')]) expect(log).not.toContain(each);
});
