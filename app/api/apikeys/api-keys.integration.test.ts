import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hashApiKey, isApiKey } from '@/lib/api-keys/key-format';
import { flushApiKeyUses } from '@/lib/api-keys/key-uses';
import { ApiKeyList, ApiKeyView, CreatedApiKeyView, RevealedApiKeyView } from '@/lib/api-schema/api-keys';
import { SessionView } from '@/lib/api-schema/auth';
import { prismaOf } from '@/lib/db/prisma';
import { webDatabase } from '@/lib/db/web-database';
import { defineRoute } from '@/lib/http/define-route';
import { PEER_HEADER } from '@/lib/http/watch-requests';
import { openSealed } from '@/lib/security/seal';
import { QUOTAS } from '@/lib/shared/limits';
import { callRoute, type RouteAnswer } from '@/testing/call-route';
import { stubWebEnvironment, TEST_SEAL_KEY } from '@/testing/stub-web-environment';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { POST as register } from '../auth/register/route';
import { POST as reveal } from './[id]/reveal/route';
import { DELETE as deactivate, GET as get, PUT as update } from './[id]/route';
import { POST as create, GET as list } from './route';

let database: TestDatabase;
let merchants = 0;
let token: string;
let userId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  stubWebEnvironment(database.roleUrl('web'));
});
afterAll(() => database.drop());
beforeEach(async () => {
  const merchant = await newMerchant();
  token = merchant.token;
  userId = merchant.user.id;
});

async function newMerchant() {
  merchants += 1;
  const json = { name: 'Negozio', email: `negozio${merchants}@example.it`, password: 'long enough' };
  return SessionView.parse(
    (await callRoute(register, { json, headers: { [PEER_HEADER]: `192.0.2.${merchants}` } })).body,
  );
}

async function newKey(fields: object = {}, of = token) {
  const answer = await callRoute(create, { token: of, json: { name: 'Negozio online', ...fields } });
  return CreatedApiKeyView.parse(answer.body);
}

async function items(of = token) {
  return ApiKeyList.parse((await callRoute(list, { token: of })).body).items;
}

function expectRefusal(answer: RouteAnswer, status: number, code: string) {
  expect(answer).toMatchObject({ status, body: { code } });
}

/** A route as an integrator calls it. */
const whoami = defineRoute({
  auth: 'sessionOrApiKey',
  response: z.object({ kind: z.string(), userId: z.number() }),
  handler: async ({ principal }) => principal,
});
const callWithKey = (key: string, of?: string) =>
  callRoute(whoami, { headers: { 'X-API-Key': key }, ...(of && { token: of }) });

describe('POST /api/apikeys', () => {
  it('[S7.5-02] [S7.5-03] [S3.7-01] answers with the whole key and the one-time secret', async () => {
    const json = { name: ' Negozio ', description: 'WooCommerce', webhookUrl: 'https://shop.example.com/hook?a=1' };
    const { status, body } = await callRoute(create, { token, json });
    const key = CreatedApiKeyView.strict().parse(body);
    expect(status).toBe(201);
    expect(isApiKey(key.key)).toBe(true);
    expect(key.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(key).toMatchObject({ ...json, name: 'Negozio', isActive: true, usageCount: 0, lastUsedAt: null });
  });

  it('stores the key as a hash and sealed, the secret sealed, both bound to their row and column', async () => {
    const key = await newKey();
    const row = await prismaOf(database.db).apiKey.findUniqueOrThrow({ where: { uuid: key.uuid } });
    expect(row.keyHash).toBe(hashApiKey(key.key));
    const open = (sealed: Uint8Array, context: string) => openSealed(sealed, TEST_SEAL_KEY, context).toString();
    expect(open(row.keySealed, `api_key.key:${key.uuid}`)).toBe(key.key);
    expect(open(row.secretSealed, `api_key.secret:${key.uuid}`)).toBe(key.secret);
    expect(() => open(row.keySealed, `api_key.secret:${key.uuid}`)).toThrow();
    const { rows } = await database.db.pool.query('SELECT api_key::text AS text FROM api_key');
    for (const secret of [key.key, key.secret, Buffer.from(key.key).toString('hex')])
      expect(JSON.stringify(rows)).not.toContain(secret);
  });

  it('ignores whose, how used and whether active the body says it is (mass assignment)', async () => {
    const other = await newMerchant();
    const key = await newKey({
      userId: other.user.id,
      isActive: false,
      usageCount: 9,
      key: 'mine',
      secret: 'mine',
      id: 1,
    });
    expect(key).toMatchObject({ isActive: true, usageCount: 0 });
    const row = await prismaOf(database.db).apiKey.findUniqueOrThrow({ where: { uuid: key.uuid } });
    expect(row.userId).toBe(userId);
    expect(await items(other.token)).toEqual([]);
  });

  it.each([
    [{ name: undefined }, 'invalid_request', 'Il nome è obbligatorio.'],
    [{ name: '   ' }, 'invalid_request', 'Il nome è obbligatorio.'],
    [{ name: 5 }, 'invalid_request', 'Il nome è obbligatorio.'],
    [{ name: 'x'.repeat(101) }, 'invalid_request', 'Nome troppo lungo.'],
    [{ description: 'x'.repeat(501) }, 'invalid_request', 'Descrizione troppo lunga.'],
    [{ webhookUrl: `https://shop.example.com/${'x'.repeat(2048)}` }, 'invalid_request', 'URL troppo lungo.'],
    [{ webhookUrl: 5 }, 'invalid_request', 'Inserisci un URL valido, per esempio https://negozio.example/webhook'],
    [{ description: 5 }, 'invalid_request', 'Valore non valido.'],
    [
      { webhookUrl: 'not a url' },
      'invalid_request',
      'Inserisci un URL valido, per esempio https://negozio.example/webhook',
    ],
    [
      { webhookUrl: 'ftp://shop.example.com' },
      'invalid_request',
      'Inserisci un URL valido, per esempio https://negozio.example/webhook',
    ],
    [
      { webhookUrl: 'javascript:alert(1)' },
      'invalid_request',
      'Inserisci un URL valido, per esempio https://negozio.example/webhook',
    ],
    [
      { webhookUrl: 'https://169.254.169.254/latest/meta-data' },
      'webhook_url_refused',
      'Il webhook deve puntare a un indirizzo pubblico su Internet.',
    ],
    [
      { webhookUrl: 'https://user:pass@shop.example.com' },
      'webhook_url_refused',
      "L'URL del webhook non può contenere nome utente o password.",
    ],
  ])('[S5.7-01] [S5.7-02] refuses %j in Italian and stores nothing', async (change, code, message) => {
    const answer = await callRoute(create, { token, json: { name: 'Negozio', ...change } });
    expect(answer).toMatchObject({ status: 422, body: { code, message } });
    expect(await items()).toEqual([]);
  });

  it('takes an empty or missing URL and description for none', async () => {
    expect(await newKey({ webhookUrl: '', description: '' })).toMatchObject({ webhookUrl: null, description: null });
    expect(await newKey({ webhookUrl: null })).toMatchObject({ webhookUrl: null, description: null });
  });
});

describe('the quota of active keys', () => {
  const tryMany = async (count: number) => {
    const json = { name: 'Cassa' };
    const answers = await Promise.all(Array.from({ length: count }, () => callRoute(create, { token, json })));
    const refused = answers.filter(({ status }) => status !== 201);
    return { refused, made: answers.length - refused.length };
  };

  it('of 100 requests at once makes exactly as many keys as one merchant may have, and stores nothing of the others', async () => {
    const { made, refused } = await tryMany(100);
    expect(made).toBe(QUOTAS.activeApiKeys);
    expect(await prismaOf(database.db).apiKey.count({ where: { userId } })).toBe(QUOTAS.activeApiKeys);
    for (const answer of refused) {
      expectRefusal(answer, 429, 'api_keys_exceeded');
      expect(answer.headers.get('retry-after')).toBe('60');
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(answer.body).toMatchObject({
        type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
        message: 'Hai il numero massimo di API Key attive: disattivane una che non usi e riprova.',
      });
    }
  });

  it('counts active keys only: whoever deactivates one may make one', async () => {
    await tryMany(QUOTAS.activeApiKeys);
    const [first] = await items();
    await callRoute(deactivate, { method: 'DELETE', token, params: { id: String(first?.id) } });
    expect((await tryMany(5)).made).toBe(1);
  });

  it('is each merchant’s own', async () => {
    await tryMany(QUOTAS.activeApiKeys);
    const other = await newMerchant();
    expect(await newKey({}, other.token)).toMatchObject({ isActive: true });
  });
});

describe('GET /api/apikeys', () => {
  it('[S7.5-01] [S3.7-02] lists the newest first, masked and without secrets', async () => {
    const [first, second] = [await newKey({ name: 'a' }), await newKey({ name: 'b' })];
    const answer = await callRoute(list, { token });
    const listed = z.array(ApiKeyView.strict()).parse(answer.body.items);
    expect(listed.map(({ uuid }) => uuid)).toEqual([second.uuid, first.uuid]);
    expect(listed[1]?.key).toBe(`${first.key.slice(0, 14)}••••${first.key.slice(-7)}`);
    for (const { key, secret } of [first, second]) {
      expect(JSON.stringify(answer.body)).not.toContain(key);
      expect(JSON.stringify(answer.body)).not.toContain(secret);
    }
  });

  it('is a list of pages, of at most 100 keys, the first with every active one before the dead ones', async () => {
    const oldest = await newKey({ name: 'la più vecchia' });
    await database.db.pool.query(
      `INSERT INTO api_key (user_id, name, key_hash, key_mask, key_sealed, secret_sealed, is_active)
       SELECT $1, 'morta', md5(random()::text) || md5(n::text), 'm', '\\x00', '\\x00', false FROM generate_series(1, 120) n`,
      [userId],
    );
    const first = ApiKeyList.parse((await callRoute(list, { token })).body);
    expect(first).toMatchObject({ page: 1, pageSize: 100, total: 121, totalItems: 121, totalPages: 2 });
    expect(first.items).toHaveLength(100);
    expect(first.items[0]?.uuid).toBe(oldest.uuid);
    const second = ApiKeyList.parse((await callRoute(list, { token, path: '/api/apikeys?page=2' })).body);
    expect(second.items).toHaveLength(21);
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(121);
    expectRefusal(await callRoute(list, { token, path: '/api/apikeys?pageSize=101' }), 422, 'invalid_request');
  });

  it('gives one key by number or uuid', async () => {
    const key = await newKey();
    for (const id of [String(key.id), key.uuid, key.uuid.toUpperCase()])
      expect((await callRoute(get, { token, params: { id } })).body).toMatchObject({ uuid: key.uuid });
  });
});

describe('PUT /api/apikeys/{id}', () => {
  it('[S7.5-04] [S7.5-05] changes the three fields and nothing else', async () => {
    const key = await newKey({ description: 'old', webhookUrl: 'https://old.example.com/' });
    const json = { name: 'new', webhookUrl: 'https://new.example.com/', isActive: false, userId: 1, usageCount: 5 };
    const { status, body } = await callRoute(update, { method: 'PUT', token, params: { id: key.uuid }, json });
    expect(status).toBe(200);
    expect(ApiKeyView.strict().parse(body)).toEqual({
      ...(await items())[0],
      name: 'new',
      description: null,
      webhookUrl: 'https://new.example.com/',
      isActive: true,
      usageCount: 0,
    });
    expect(await callWithKey(key.key)).toMatchObject({ status: 200 });
  });

  it('refuses a URL on the inside, and a key that is dead', async () => {
    const key = await newKey();
    const put = (json: object) => callRoute(update, { method: 'PUT', token, params: { id: key.uuid }, json });
    expectRefusal(await put({ name: 'a', webhookUrl: 'http://10.0.0.1/' }), 422, 'webhook_url_refused');
    await callRoute(deactivate, { method: 'DELETE', token, params: { id: key.uuid } });
    expectRefusal(await put({ name: 'a' }), 409, 'api_key_inactive');
  });
});

describe('DELETE /api/apikeys/{id}', () => {
  it('[S7.5-06] makes the key dead at once, keeps it in the list, and may be repeated', async () => {
    const key = await newKey();
    expect(await callWithKey(key.key)).toMatchObject({ status: 200 });
    const remove = () => callRoute(deactivate, { method: 'DELETE', token, params: { id: String(key.id) } });
    expect(await remove()).toMatchObject({ status: 200, body: { uuid: key.uuid, isActive: false } });
    const { disabledAt } = await prismaOf(database.db).apiKey.findUniqueOrThrow({ where: { id: key.id } });
    expect(await remove()).toMatchObject({ status: 200, body: { isActive: false } });
    expectRefusal(await callWithKey(key.key), 401, 'invalid_api_key');
    expect(await items()).toMatchObject([{ uuid: key.uuid, isActive: false }]);
    const again = await prismaOf(database.db).apiKey.findUniqueOrThrow({ where: { id: key.id } });
    expect(again.disabledAt).toEqual(disabledAt);
  });

  it('cancels what was still to be delivered for that key, and for no other', async () => {
    const [dead, alive] = [await newKey(), await newKey()];
    const { rows } = await database.db.pool.query<{ id: string }>(
      `WITH invoice AS (INSERT INTO invoice (user_id, amount_eur_cents, expiry_minutes, expires_at)
                        VALUES ($1, 100, 60, now()) RETURNING id)
       INSERT INTO invoice_event (invoice_id, sequence, type, from_status, to_status, payment_state)
       SELECT id, 1, 'invoice.statusChanged', 'pending', 'paid', 'settled' FROM invoice RETURNING id`,
      [userId],
    );
    for (const key of [dead, alive])
      await database.db.pool.query(
        `INSERT INTO webhook_delivery (event_id, api_key_id, url, body) VALUES ($1, $2, 'https://shop.example.com', '{}')`,
        [rows[0]?.id, key.id],
      );
    await callRoute(deactivate, { method: 'DELETE', token, params: { id: dead.uuid } });
    const statuses = await prismaOf(database.db).webhookDelivery.findMany({ select: { apiKeyId: true, status: true } });
    expect(statuses).toContainEqual({ apiKeyId: dead.id, status: 'cancelled' });
    expect(statuses).toContainEqual({ apiKeyId: alive.id, status: 'pending' });
  });
});

describe('POST /api/apikeys/{id}/reveal', () => {
  it('gives the whole key, never the secret, and writes down who asked', async () => {
    const key = await newKey();
    const { status, body } = await callRoute(reveal, { method: 'POST', token, params: { id: key.uuid } });
    expect([status, RevealedApiKeyView.strict().parse(body)]).toEqual([200, { key: key.key }]);
    const audits = await prismaOf(database.db).apiKeyAudit.findMany({ where: { apiKeyId: key.id } });
    expect(audits).toMatchObject([{ userId, action: 'reveal' }]);
  });

  it('does not open a sealed key that was moved into another row', async () => {
    const [mine, other] = [await newKey(), await newKey({}, (await newMerchant()).token)];
    await database.db.pool.query(
      'UPDATE api_key SET key_sealed = (SELECT key_sealed FROM api_key WHERE id = $1) WHERE id = $2',
      [other.id, mine.id],
    );
    const answer = await callRoute(reveal, { method: 'POST', token, params: { id: mine.uuid } });
    expectRefusal(answer, 500, 'internal_error');
    expect(JSON.stringify(answer.body)).not.toContain(other.key);
  });
});

describe('keys of another merchant (E1)', () => {
  it('do not exist: read, change, deactivate and reveal answer 404 by number and uuid, and nothing happens', async () => {
    const key = await newKey();
    const stranger = (await newMerchant()).token;
    for (const id of [String(key.id), key.uuid, '999999999', crypto.randomUUID(), 'x']) {
      const call = { token: stranger, params: { id } };
      expectRefusal(await callRoute(get, call), 404, 'not_found');
      expectRefusal(await callRoute(update, { ...call, method: 'PUT', json: { name: 'x' } }), 404, 'not_found');
      expectRefusal(await callRoute(deactivate, { ...call, method: 'DELETE' }), 404, 'not_found');
      expectRefusal(await callRoute(reveal, { ...call, method: 'POST' }), 404, 'not_found');
    }
    expect(await items()).toMatchObject([{ uuid: key.uuid, name: 'Negozio online', isActive: true }]);
    expect(await prismaOf(database.db).apiKeyAudit.count({ where: { apiKeyId: key.id } })).toBe(0);
    expect(await items(stranger)).toEqual([]);
  });

  it('and of nobody: without a token, or with an API key, every door is shut', async () => {
    const key = await newKey();
    const params = { id: key.uuid };
    for (const headers of [new Headers(), new Headers({ 'X-API-Key': key.key })].map((each) =>
      Object.fromEntries(each),
    )) {
      expectRefusal(await callRoute(list, { headers }), 401, 'unauthorized');
      expectRefusal(await callRoute(create, { headers, json: { name: 'x' } }), 401, 'unauthorized');
      expectRefusal(
        await callRoute(update, { headers, params, method: 'PUT', json: { name: 'x' } }),
        401,
        'unauthorized',
      );
      expectRefusal(await callRoute(deactivate, { headers, params, method: 'DELETE' }), 401, 'unauthorized');
      expectRefusal(await callRoute(reveal, { headers, params, method: 'POST' }), 401, 'unauthorized');
    }
  });
});

describe('X-API-Key', () => {
  it('stands for its merchant; a token does too', async () => {
    const key = await newKey();
    expect((await callWithKey(key.key)).body).toEqual({ kind: 'apiKey', userId });
    expect((await callRoute(whoami, { token })).body).toEqual({ kind: 'user', userId });
  });

  it('decides alone when it is sent: a bad one is refused beside a good token', async () => {
    const key = await newKey();
    const otherwise = key.key.slice(0, -1) + (key.key.endsWith('0') ? '1' : '0');
    for (const bad of ['', 'x', otherwise, key.secret, `${key.key.slice(0, 14)}••••`.replaceAll('•', '.')])
      expectRefusal(await callWithKey(bad, token), 401, 'invalid_api_key');
  });

  it('of a disabled merchant is dead', async () => {
    const key = await newKey();
    await prismaOf(database.db).user.update({ where: { id: userId }, data: { disabledAt: new Date() } });
    expectRefusal(await callWithKey(key.key), 401, 'invalid_api_key');
  });

  it('is counted without a write per request; the list and the flush have the exact count', async () => {
    const key = await newKey();
    await Promise.all(Array.from({ length: 25 }, () => callWithKey(key.key)));
    const stored = () => prismaOf(database.db).apiKey.findUniqueOrThrow({ where: { id: key.id } });
    expect((await stored()).usageCount).toBe(0);
    const [listed] = await items();
    expect(listed).toMatchObject({ usageCount: 25, lastUsedAt: expect.any(String) });
    await callWithKey(key.key);
    await flushApiKeyUses(webDatabase());
    await flushApiKeyUses(webDatabase());
    expect((await stored()).usageCount).toBe(26);
  });

  it('keeps its counts when the database refuses them, for the next time', async () => {
    const key = await newKey();
    await callWithKey(key.key);
    await database.db.pool.query('ALTER TABLE api_key RENAME TO api_key_away');
    await expect(flushApiKeyUses(webDatabase())).rejects.toThrow();
    await database.db.pool.query('ALTER TABLE api_key_away RENAME TO api_key');
    await callWithKey(key.key);
    expect(await items()).toMatchObject([{ usageCount: 2 }]);
  });
});
