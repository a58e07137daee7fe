import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { ApiKeyList, ApiKeyView } from '@/lib/api-schema/api-keys';
import { InvoiceList } from '@/lib/api-schema/invoices';
import { WalletList } from '@/lib/api-schema/wallets';
import type { ErrorCode } from '@/lib/shared/errors';
import type { Instance } from '@/starter/instance';
import { type ApiCall, callApi } from '../support/call-api';
import { expectProblem } from '../support/expect-problem';
import { Merchant } from '../support/merchant';
import { test } from '../support/test';

/** Whose the object in a path is. */
type Kind = 'invoice' | 'wallet' | 'apiKey';

/** Who may call a route: anybody, a signed-in person, or also the owner's API key; or the instance's operator alone. */
type Door = 'public' | 'session' | 'sessionOrApiKey' | 'admin';

interface Row {
  door: Door;
  /** The object that `[id]` names, when there is one. */
  of?: Kind;
  json?: unknown;
}

/** Every route of the API (E1): one that is missing here fails the first test. */
const MATRIX: Record<string, Row> = {
  'POST /api/auth/login': { door: 'public' },
  'POST /api/auth/register': { door: 'public' },
  'POST /api/auth/logout': { door: 'session' },
  'GET /api/auth/me': { door: 'session' },
  'GET /api/health': { door: 'public' },
  'GET /api/crypto/price': { door: 'public' },
  'GET /api/invoices': { door: 'sessionOrApiKey' },
  'POST /api/invoices': { door: 'sessionOrApiKey', json: { amountEuro: 25 } },
  'GET /api/invoices/[id]': { door: 'sessionOrApiKey', of: 'invoice' },
  'PUT /api/invoices/[id]/check-payment': { door: 'session', of: 'invoice' },
  'PUT /api/invoices/[id]/force-payment': { door: 'session', of: 'invoice' },
  'PUT /api/invoices/[id]/resolve': { door: 'session', of: 'invoice', json: { action: 'note', note: 'mia' } },
  'GET /api/invoices/public/[id]': { door: 'public' },
  'GET /api/invoices/public/[id]/check-payment': { door: 'public' },
  'GET /api/invoices/public/[id]/events': { door: 'public' },
  'PUT /api/invoices/public/[id]/email': { door: 'public' },
  'POST /api/invoices/public/[id]/crypto': { door: 'public' },
  'GET /api/wallets': { door: 'session' },
  'POST /api/wallets/create-primary': { door: 'session', json: { cryptoType: 'ETH' } },
  'GET /api/wallets/[id]': { door: 'session', of: 'wallet' },
  'GET /api/wallets/[id]/balance': { door: 'session', of: 'wallet' },
  'GET /api/wallets/[id]/transactions': { door: 'session', of: 'wallet' },
  'GET /api/apikeys': { door: 'session' },
  'POST /api/apikeys': { door: 'session', json: { name: 'mia' } },
  'GET /api/apikeys/[id]': { door: 'session', of: 'apiKey' },
  'PUT /api/apikeys/[id]': {
    door: 'session',
    of: 'apiKey',
    json: { name: 'mia', webhookUrl: 'https://ladro.example' },
  },
  'DELETE /api/apikeys/[id]': { door: 'session', of: 'apiKey' },
  'POST /api/apikeys/[id]/reveal': { door: 'session', of: 'apiKey' },
  'GET /api/settings/payments': { door: 'session' },
  'PUT /api/settings/payments': { door: 'session', json: { tolerancePercent: 5, latePolicy: 'accept' } },
  'GET /api/admin/unattributed': { door: 'admin' },
  'POST /api/admin/unattributed/[id]/attach': { door: 'admin', json: { target: '1' } },
};

/** Methods that a route file answers itself, and its path. */
function routesOnDisk(): string[] {
  const root = path.resolve(import.meta.dirname, '../..');
  return readdirSync(path.join(root, 'app/api'), { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'route.ts' && !file.includes('[[...'))
    .flatMap((file) => {
      const source = readFileSync(path.join(root, 'app/api', file), 'utf8');
      const methods = [...source.matchAll(/^export const (GET|POST|PUT|PATCH|DELETE) = defineRoute/gm)];
      return methods.map(([, method]) => `${method} /api/${path.dirname(file)}`);
    });
}

test('every route has a row in the matrix of who may call it', () => {
  expect(routesOnDisk().sort()).toEqual(Object.keys(MATRIX).sort());
});

/** What the owner has, in both spellings of its id. */
async function ownedBy(owner: Merchant): Promise<Record<Kind, string[]>> {
  const [invoice, wallet, key] = [await owner.createInvoice(), await owner.createWallet(), await owner.createApiKey()];
  const both = ({ id, uuid }: { id: number; uuid: string }) => [String(id), uuid];
  return { invoice: both(invoice), wallet: both(wallet), apiKey: both(key) };
}

interface Actor {
  name: string;
  call: ApiCall;
  /** The refusal that a person's door answers with; undefined for somebody who may enter, but not here. */
  atSession: ErrorCode | undefined;
  atApiKey: ErrorCode | undefined;
}

async function strangers(instance: Instance, owner: Merchant): Promise<Actor[]> {
  const other = await Merchant.register(instance.url);
  const gone = await Merchant.register(instance.url);
  const retired = await owner.createApiKey();
  const [theirs, own] = [await other.createApiKey(), await owner.createApiKey()];
  await owner.call(`/api/apikeys/${retired.id}`, { method: 'DELETE' });
  await gone.call('/api/auth/logout', { method: 'POST' });
  return [
    { name: 'nobody', call: {}, atSession: 'unauthorized', atApiKey: 'unauthorized' },
    { name: 'a dead token', call: { token: gone.token }, atSession: 'unauthorized', atApiKey: 'unauthorized' },
    { name: 'another merchant', call: { token: other.token }, atSession: undefined, atApiKey: undefined },
    { name: 'another’s API key', call: { apiKey: theirs.key }, atSession: 'unauthorized', atApiKey: undefined },
    {
      name: 'a retired API key',
      call: { apiKey: retired.key },
      atSession: 'unauthorized',
      atApiKey: 'invalid_api_key',
    },
    {
      name: 'the own API key at a person’s door',
      call: { apiKey: own.key },
      atSession: 'unauthorized',
      atApiKey: undefined,
    },
  ];
}

test('no stranger reads or changes anything of another merchant, on any route, by id or uuid (E1)', async ({
  instance,
  merchant: owner,
}) => {
  const owned = await ownedBy(owner);
  const before = await stateOf(owner);
  const actors = await strangers(instance, owner);
  for (const [route, { door, of, json }] of Object.entries(MATRIX)) {
    if (door === 'public' || of === undefined) continue;
    const [method = '', template = ''] = route.split(' ');
    for (const actor of actors) {
      // The own key is welcome where keys are: that is no stranger.
      if (door === 'sessionOrApiKey' && actor.name.startsWith('the own')) continue;
      await test.step(`${route} by ${actor.name}`, async () => {
        const refusal = door === 'session' ? actor.atSession : actor.atApiKey;
        for (const id of owned[of]) {
          const answer = await callApi(instance.url, template.replace('[id]', id), { method, json, ...actor.call });
          expectProblem(answer, refusal ?? 'not_found');
        }
      });
    }
  }
  // The strangers' preparations made and retired keys of the owner: compare what stood before.
  const after = await stateOf(owner);
  expect(after.invoices).toEqual(before.invoices);
  expect(after.wallets).toEqual(before.wallets);
  expect(after.keys.filter(({ id }) => before.keys.some((key) => key.id === id))).toEqual(before.keys);
});

/** All that a merchant has, less what grows old by itself. */
async function stateOf(owner: Merchant) {
  const invoices = InvoiceList.parse((await owner.call('/api/invoices')).body).items;
  const { items: wallets } = WalletList.parse((await owner.call('/api/wallets')).body);
  const { items: keys } = ApiKeyList.parse((await owner.call('/api/apikeys')).body);
  return { invoices: invoices.map(({ serverTime, ...invoice }) => invoice), wallets, keys };
}

test('a list shows nobody else’s, and a new object belongs to its maker', async ({ instance, merchant: owner }) => {
  await ownedBy(owner);
  const other = await Merchant.register(instance.url);
  const { key } = await other.createApiKey();
  for (const call of [{ token: other.token }, { apiKey: key }]) {
    expect(InvoiceList.parse((await callApi(instance.url, '/api/invoices', call)).body).total).toBe(0);
  }
  expect(WalletList.parse((await other.call('/api/wallets?type=primary')).body).items).toEqual([]);
  expect(ApiKeyList.parse((await other.call('/api/apikeys')).body).items).toHaveLength(1);
  const { body } = await callApi(instance.url, '/api/invoices', { apiKey: key, json: { amountEuro: 25 } });
  expect(body).toMatchObject({ userId: other.user.id });
});

test('a route for people answers 401 to nobody, a dead token and an API key', async ({ instance, merchant: owner }) => {
  const actors = await strangers(instance, owner);
  for (const [route, { door, of, json }] of Object.entries(MATRIX)) {
    if (door !== 'session' || of !== undefined) continue;
    const [method = '', template = ''] = route.split(' ');
    for (const { call, atSession } of actors) {
      if (atSession === undefined) continue;
      expectProblem(await callApi(instance.url, template, { method, json, ...call }), atSession);
    }
  }
});

test('an operator’s route is forbidden to every merchant, and 401 to whoever is none (E3)', async ({
  instance,
  merchant: owner,
}) => {
  const actors = await strangers(instance, owner);
  for (const [route, { door, json }] of Object.entries(MATRIX)) {
    if (door !== 'admin') continue;
    const [method = '', template = ''] = route.split(' ');
    for (const { call, atSession } of actors) {
      const answer = await callApi(instance.url, template.replace('[id]', '1'), { method, json, ...call });
      expectProblem(answer, atSession ?? 'forbidden');
    }
  }
});

test('the owner passes where strangers do not: the matrix refuses for the right reason', async ({
  instance,
  merchant: owner,
}) => {
  const owned = await ownedBy(owner);
  const { key } = await owner.createApiKey();
  for (const id of owned.invoice) {
    expect((await owner.call(`/api/invoices/${id}`)).status).toBe(200);
    expect((await callApi(instance.url, `/api/invoices/${id}`, { apiKey: key })).status).toBe(200);
    expect((await owner.call(`/api/invoices/${id}/check-payment`, { method: 'PUT' })).status).toBe(200);
    expectProblem(await owner.call(`/api/invoices/${id}/force-payment`, { method: 'PUT' }), 'force_not_allowed');
  }
  for (const id of owned.wallet) {
    for (const part of ['', '/balance', '/transactions']) {
      expect((await owner.call(`/api/wallets/${id}${part}`)).status).toBe(200);
    }
  }
  for (const id of owned.apiKey) {
    expect((await owner.call(`/api/apikeys/${id}`)).status).toBe(200);
    expect((await owner.call(`/api/apikeys/${id}/reveal`, { method: 'POST' })).status).toBe(200);
  }
});

test('[S3.7-02] a key is shown whole at its creation and on demand, its secret at its creation alone', async ({
  merchant,
}) => {
  const { id, key, secret } = await merchant.createApiKey();
  expect(secret).toMatch(/^whsec_/);
  const { body } = await merchant.call(`/api/apikeys/${id}`);
  const view = ApiKeyView.parse(body);
  expect(view.key.startsWith(key.slice(0, 14))).toBe(true);
  expect(view.key.endsWith(key.slice(-7))).toBe(true);
  expect(view.key).not.toBe(key);
  expect((await merchant.call(`/api/apikeys/${id}/reveal`, { method: 'POST' })).body).toEqual({ key });
  for (const path of [`/api/apikeys/${id}`, '/api/apikeys', `/api/apikeys/${id}/reveal`]) {
    const answer = await merchant.call(path, { method: path.endsWith('reveal') ? 'POST' : 'GET' });
    expect(JSON.stringify(answer.body)).not.toContain(secret);
  }
});

test('[S7.4-01] the public view tells a visitor nothing of the merchant but the shop’s name (F6)', async ({
  instance,
  merchant,
}) => {
  const invoice = await merchant.createInvoice({ externalCode: 'interno-412', description: 'Borsa' });
  const email = await merchant.setEmail(invoice.uuid);
  for (const path of ['', '/check-payment']) {
    const { status, body } = await callApi(instance.url, `/api/invoices/public/${invoice.uuid}${path}`);
    expect(status).toBe(200);
    const text = JSON.stringify(body);
    expect(text).toContain(merchant.user.name);
    for (const hidden of [merchant.user.email, 'interno-412', email, '"userId"', '"externalCode"', '"id"']) {
      expect(text).not.toContain(hidden);
    }
  }
});
