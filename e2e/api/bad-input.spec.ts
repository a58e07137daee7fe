import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { ApiKeyList } from '@/lib/api-schema/api-keys';
import { InvoiceList } from '@/lib/api-schema/invoices';
import { WalletList } from '@/lib/api-schema/wallets';
import type { ErrorCode } from '@/lib/shared/errors';
import { MESSAGES } from '@/lib/shared/messages';
import { callApi } from '../support/call-api';
import { expectProblem } from '../support/expect-problem';
import { Merchant } from '../support/merchant';
import { ownerQuery } from '../support/owner-query';
import { secretWord } from '../support/secret-word';
import { test } from '../support/test';

const { errors, validation } = MESSAGES;
const MEGABYTE = 'x'.repeat(1024 * 1024);

async function expectNoInvoice(merchant: Merchant): Promise<void> {
  expect(InvoiceList.parse((await merchant.call('/api/invoices')).body).total).toBe(0);
}

/** Bodies of POST /api/invoices as they go over the wire, with the field that is at fault. */
const BAD_INVOICES: readonly [name: string, text: string, pointer: string][] = [
  ['no amount', '{}', '/amountEuro'],
  ['a null amount', '{"amountEuro":null}', '/amountEuro'],
  ['an amount in text', '{"amountEuro":"25"}', '/amountEuro'],
  ['an amount of NaN in text', '{"amountEuro":"NaN"}', '/amountEuro'],
  ['an amount of true', '{"amountEuro":true}', '/amountEuro'],
  ['an amount in a list', '{"amountEuro":[25]}', '/amountEuro'],
  ['an amount of 0', '{"amountEuro":0}', '/amountEuro'],
  ['an amount of -0', '{"amountEuro":-0}', '/amountEuro'],
  ['a negative amount', '{"amountEuro":-5}', '/amountEuro'],
  ['3 decimals', '{"amountEuro":10.123}', '/amountEuro'],
  ['an exponent', '{"amountEuro":1e3}', '/amountEuro'],
  ['a negative exponent', '{"amountEuro":1e-2}', '/amountEuro'],
  ['more than a million', '{"amountEuro":1000000.01}', '/amountEuro'],
  ['far too much', '{"amountEuro":99999999999999999999}', '/amountEuro'],
  ['infinity by exponent', '{"amountEuro":1e999}', '/amountEuro'],
  ['an unknown coin', '{"amountEuro":25,"cryptoType":"DOGE"}', '/cryptoType'],
  ['a coin in small letters', '{"amountEuro":25,"cryptoType":"eth"}', '/cryptoType'],
  ['a coin that is a number', '{"amountEuro":25,"cryptoType":60}', '/cryptoType'],
  ['a description that is an object', '{"amountEuro":25,"description":{"a":1}}', '/description'],
  ['a description of 501 characters', `{"amountEuro":25,"description":"${'x'.repeat(501)}"}`, '/description'],
  ['a description with a NUL', '{"amountEuro":25,"description":"a\\u0000b"}', '/description'],
  ['a code that is a number', '{"amountEuro":25,"externalCode":412}', '/externalCode'],
  ['a validity outside the eight', '{"amountEuro":25,"expiryMinutes":7}', '/expiryMinutes'],
  ['a validity in text', '{"amountEuro":25,"expiryMinutes":"60"}', '/expiryMinutes'],
  ['a validity with decimals', '{"amountEuro":25,"expiryMinutes":60.5}', '/expiryMinutes'],
];

test('[S5.5-02] an invoice with a field that is no good is refused by the field’s name, and not stored', async ({
  merchant,
}) => {
  for (const [name, text, pointer] of BAD_INVOICES) {
    await test.step(name, async () => {
      const problem = expectProblem(await merchant.call('/api/invoices', { text }), 'invalid_request');
      expect(problem.errors?.map((error) => error.pointer)).toEqual([pointer]);
      if (pointer === '/amountEuro') expect(problem.message).toBe(validation.amountEuro);
      await expectNoInvoice(merchant);
    });
  }
});

/** What is no JSON object at all, whatever the route. */
const BAD_BODIES: readonly [
  name: string,
  call: { text?: string; headers?: Record<string, string> },
  code: ErrorCode,
  message?: string,
][] = [
  ['a body cut short', { text: '{"amountEuro":25' }, 'invalid_json'],
  ['NaN', { text: '{"amountEuro":NaN}' }, 'invalid_json'],
  ['a list', { text: '[]' }, 'invalid_json'],
  ['a text', { text: '"ciao"' }, 'invalid_json'],
  ['an empty body', { text: '' }, 'invalid_json'],
  ['a key that stands twice', { text: '{"amountEuro":25,"amountEuro":2500}' }, 'invalid_json'],
  [
    'nesting without end',
    { text: '{"a":'.repeat(12_000) },
    'invalid_json',
    'Il JSON è annidato troppo: al massimo 32 livelli.',
  ],
  ['a body of 1 MB', { text: `{"amountEuro":25,"description":"${MEGABYTE}"}` }, 'body_too_large'],
  [
    'a form',
    { text: 'amountEuro=25', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    'unsupported_media_type',
  ],
  ['plain text', { text: '{"amountEuro":25}', headers: { 'content-type': 'text/plain' } }, 'unsupported_media_type'],
];

test('a body that is no JSON object of a bearable size is refused, and nothing is stored', async ({ merchant }) => {
  for (const [name, call, code, message = errors[code]] of BAD_BODIES) {
    await test.step(name, async () => {
      expectProblem(await merchant.call('/api/invoices', { method: 'POST', ...call }), code, message);
      await expectNoInvoice(merchant);
    });
  }
});

test('an unknown field is ignored: nobody sets status, owner, rate or wallet from outside (E2)', async ({
  merchant,
  instance,
}) => {
  const stranger = await Merchant.register(instance.url);
  const json = {
    amountEuro: 25,
    status: 'paid',
    userId: stranger.user.id,
    exchangeRate: '1',
    walletId: 1,
    id: 1,
    uuid: randomUUID(),
  };
  const answer = await merchant.call('/api/invoices', { json });
  expect(answer.status).toBe(201);
  expect(answer.body).toMatchObject({ status: 'pending', userId: merchant.user.id, exchangeRate: null, wallet: null });
  expect((answer.body as { uuid: string }).uuid).not.toBe(json.uuid);
  await expectNoInvoice(stranger);
});

test.describe('who calls', () => {
  test('[S8.2-01] a wrong password and an unknown email get the same answer', async ({ instance, merchant }) => {
    const { email } = merchant.user;
    for (const json of [
      { email, password: secretWord() },
      { email: `${randomUUID()}@nessuno.example`, password: secretWord() },
    ]) {
      const answer = await callApi(instance.url, '/api/auth/login', { json });
      expectProblem(answer, 'invalid_credentials', errors.invalid_credentials);
    }
  });

  test('[S5.1-01][S5.1-02] login without email or password is refused', async ({ instance }) => {
    for (const json of [
      { password: 'una-password' },
      { email: 'a@b.example' },
      { email: 5, password: 'una-password' },
    ]) {
      const answer = await callApi(instance.url, '/api/auth/login', { json });
      expectProblem(answer, 'invalid_request', validation.loginRequired);
    }
  });

  test('[S4.1-08] a token is dead after logout, and a forged, cut or missing one never lived', async ({
    instance,
    merchant,
  }) => {
    expect((await merchant.call('/api/auth/me')).status).toBe(200);
    expect((await merchant.call('/api/auth/logout', { method: 'POST' })).body).toEqual({ success: true });
    for (const token of [merchant.token, merchant.token.slice(0, -2), 'a.b.c', undefined]) {
      const answer = await callApi(instance.url, '/api/auth/me', { token });
      expectProblem(answer, 'unauthorized', errors.unauthorized);
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    }
  });

  test('a wrong, cut, foreign-looking or deactivated API key opens nothing', async ({ instance, merchant }) => {
    const { key, id } = await merchant.createApiKey();
    const json = { amountEuro: 25 };
    expect((await callApi(instance.url, '/api/invoices', { apiKey: key })).status).toBe(200);
    await merchant.call(`/api/apikeys/${id}`, { method: 'DELETE' });
    const lastLetterWrong = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
    for (const apiKey of [key, lastLetterWrong, key.slice(0, -1), 'inc_live_', '', "' OR 1=1 --"]) {
      const answer = await callApi(instance.url, '/api/invoices', { apiKey, json });
      expectProblem(answer, 'invalid_api_key', errors.invalid_api_key);
    }
    await expectNoInvoice(merchant);
  });

  test('[S5.2-01] registration refuses missing, wrong and too long fields, and makes no account', async ({
    instance,
  }) => {
    const good = { name: 'Bottega', email: `${randomUUID()}@bottega.example`, password: secretWord() };
    const bad: [Record<string, unknown>, string | undefined][] = [
      [{ ...good, name: undefined }, validation.registerRequired],
      [{ ...good, name: '   ' }, validation.registerRequired],
      [{ ...good, email: undefined }, validation.registerRequired],
      [{ ...good, password: '' }, validation.registerRequired],
      [{ ...good, email: 'senza-chiocciola' }, undefined],
      [{ ...good, password: 'corta' }, undefined],
      [{ ...good, password: 'x'.repeat(129) }, undefined],
      [{ ...good, name: 'x'.repeat(101) }, undefined],
      [{ ...good, name: { a: 1 } }, undefined],
    ];
    for (const [json, message] of bad) {
      expectProblem(await callApi(instance.url, '/api/auth/register', { json }), 'invalid_request', message);
    }
    expect(await ownerQuery(instance, 'SELECT id FROM user_account WHERE email = $1', [good.email])).toEqual([]);
  });

  test('an email has one account, however it is written', async ({ instance, merchant }) => {
    for (const email of [merchant.user.email, ` ${merchant.user.email.toUpperCase()} `]) {
      const json = { name: 'Altra bottega', email, password: secretWord() };
      expectProblem(await callApi(instance.url, '/api/auth/register', { json }), 'email_taken', errors.email_taken);
    }
  });

  test('nobody becomes an administrator by asking (E2)', async ({ instance }) => {
    const json = {
      name: 'Furba',
      email: `${randomUUID()}@bottega.example`,
      password: secretWord(),
      isAdmin: true,
      id: 1,
    };
    const { status, body } = await callApi(instance.url, '/api/auth/register', { json });
    expect(status).toBe(201);
    expect(body).toMatchObject({ user: { isAdmin: false } });
  });
});

test.describe('wallets and keys', () => {
  test('a wallet is refused for an unknown coin, a coin that is off, and a second time', async ({ merchant }) => {
    const create = (json: unknown) => merchant.call('/api/wallets/create-primary', { json });
    expectProblem(await create({ cryptoType: 'DOGE' }), 'invalid_request', 'Criptovaluta sconosciuta.');
    expectProblem(await create({}), 'invalid_request');
    expectProblem(await create({ cryptoType: 'LTC' }), 'coin_not_enabled', errors.coin_not_enabled);
    expect(WalletList.parse((await merchant.call('/api/wallets?type=primary')).body).items).toEqual([]);
    expect((await create({ cryptoType: 'ETH' })).status).toBe(201);
    expectProblem(await create({ cryptoType: 'ETH' }), 'wallet_exists', errors.wallet_exists);
    expect(WalletList.parse((await merchant.call('/api/wallets?type=primary')).body).items).toHaveLength(1);
  });

  test('[S5.7-01][S5.7-02] a key is refused without a name, and with a webhook URL that is none or leads inside', async ({
    instance,
    merchant,
  }) => {
    const create = (json: unknown) => merchant.call('/api/apikeys', { json });
    const name = 'Negozio';
    expectProblem(await create({}), 'invalid_request', 'Il nome è obbligatorio.');
    expectProblem(await create({ name: '  ' }), 'invalid_request', 'Il nome è obbligatorio.');
    expectProblem(await create({ name: 7 }), 'invalid_request');
    for (const webhookUrl of ['negozio', 'ftp://negozio.example', 'javascript:alert(1)', 5]) {
      expectProblem(await create({ name, webhookUrl }), 'invalid_request');
    }
    const own = [instance.url, instance.devnet?.url, instance.inboxUrl].map((url) => `${url}/hook`);
    const inside = ['http://10.0.0.1/hook', 'http://169.254.169.254/latest/meta-data', 'http://[fd00::1]/hook'];
    for (const webhookUrl of [...own, ...inside]) {
      expectProblem(await create({ name, webhookUrl }), 'webhook_url_refused');
    }
    expect(ApiKeyList.parse((await merchant.call('/api/apikeys')).body).items).toEqual([]);
  });
});

test.describe('the customer’s doors', () => {
  test('an unknown, misspelt or numeric uuid is not found on every public route', async ({ instance, merchant }) => {
    const { id } = await merchant.createInvoice();
    for (const uuid of [randomUUID(), 'non-un-uuid', String(id), '%00', '..%2f..%2fhealth']) {
      const base = `/api/invoices/public/${uuid}`;
      for (const [path, call] of [
        [base, {}],
        [`${base}/check-payment`, {}],
        [`${base}/events`, {}],
        [`${base}/email`, { method: 'PUT', json: { email: 'a@b.example' } }],
        [`${base}/crypto`, { json: { cryptoType: 'ETH' } }],
      ] as const) {
        const answer = await callApi(instance.url, path, call);
        expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(404);
        expectProblem(answer, 'not_found', errors.not_found);
      }
    }
  });

  test('[S5.6-01][S5.6-02] an email that is none is refused and not kept', async ({ instance, merchant }) => {
    const { uuid } = await merchant.createInvoice();
    const injected = 'a@b.example\r\nBcc: c@d.example';
    for (const email of ['senza-chiocciola', 'senza@punto', '', 5, null, `${'x'.repeat(250)}@a.example`, injected]) {
      const path = `/api/invoices/public/${uuid}/email`;
      const answer = await callApi(instance.url, path, { method: 'PUT', json: { email } });
      expectProblem(answer, 'invalid_request', validation.publicEmail);
      expect((await merchant.invoice(uuid)).email).toBeNull();
    }
  });

  test('an email is set once (C7)', async ({ instance, merchant }) => {
    const { uuid } = await merchant.createInvoice();
    const email = await merchant.setEmail(uuid);
    const json = { email: `${randomUUID()}@altro.example` };
    const answer = await callApi(instance.url, `/api/invoices/public/${uuid}/email`, { method: 'PUT', json });
    expectProblem(answer, 'email_already_set', errors.email_already_set);
    expect((await merchant.invoice(uuid)).email).toBe(email);
  });

  test('a coin is chosen once, among those that are on', async ({ instance, merchant }) => {
    const { uuid } = await merchant.createInvoice({ cryptoType: null });
    const choose = (json: unknown) => callApi(instance.url, `/api/invoices/public/${uuid}/crypto`, { json });
    expectProblem(await choose({ cryptoType: 'DOGE' }), 'invalid_request', 'Criptovaluta sconosciuta.');
    expectProblem(await choose({}), 'invalid_request');
    expectProblem(await choose({ cryptoType: 'TRX' }), 'coin_not_enabled', errors.coin_not_enabled);
    expect((await merchant.invoice(uuid)).wallet).toBeNull();
    const chosen = await choose({ cryptoType: 'ETH' });
    expect(chosen).toMatchObject({ status: 200, body: { cryptoType: 'ETH' } });
    expect((await choose({ cryptoType: 'ETH' })).body).toMatchObject({
      wallet: (chosen.body as { wallet: unknown }).wallet,
    });
    expectProblem(await choose({ cryptoType: 'BNB' }), 'coin_already_chosen', errors.coin_already_chosen);
  });
});

test.describe('queries, paths and methods', () => {
  test('a filter that is none is refused by its name', async ({ merchant }) => {
    for (const query of [
      ...['page=0', 'page=-1', 'page=1.5', 'pageSize=0', 'pageSize=101'],
      ...['status=rubata', 'cryptoType=DOGE', 'orderBy=password_hash', 'orderType=sideways'],
    ]) {
      const problem = expectProblem(await merchant.call(`/api/invoices?${query}`), 'invalid_request');
      expect(problem.errors?.map(({ pointer }) => pointer)).toEqual([query.split('=')[0]]);
    }
  });

  test('an unknown object, path or method says so', async ({ merchant, instance }) => {
    for (const path of [
      `/api/invoices/${randomUUID()}`,
      '/api/invoices/999999999',
      '/api/invoices/x',
      `/api/wallets/${randomUUID()}`,
      `/api/apikeys/${randomUUID()}`,
      '/api/niente',
      '/api',
    ]) {
      expectProblem(await merchant.call(path), 'not_found', errors.not_found);
    }
    const answer = await callApi(instance.url, '/api/invoices', { method: 'DELETE' });
    expectProblem(answer, 'method_not_allowed', errors.method_not_allowed);
    expect(answer.headers.get('allow')).toContain('POST');
  });
});
