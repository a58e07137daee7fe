import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CreateInvoiceBody } from '@/lib/api-schema/invoices';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { makeCursor, makeInvoice, makePool, makeRate, makeUser } from '@/testing/factories';
import { stubWebEnvironment } from '@/testing/stub-web-environment';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { chooseCoin } from './choose-coin';
import { createInvoice } from './create-invoice';
import { getInvoice, getPublicInvoice } from './get-invoice';
import { listInvoices } from './list-invoices';
import { setInvoiceEmail } from './set-invoice-email';

const clock = () => new Date();
const body = (over: object = {}) => CreateInvoiceBody.parse({ description: 'Borsa', amountEuro: 148.5, ...over });
const query = { page: 1, pageSize: 10, orderBy: 'id', orderType: 'DESC' } as const;

describe('creating invoices', () => {
  let test: TestDatabase;
  let web: Database;
  let owner: { userId: number; apiKeyId: null };

  beforeAll(async () => {
    test = await createTestDatabase();
    stubWebEnvironment(test.roleUrl('web'), { ETH_RPC_URL: 'http://127.0.0.1:1', PUBLIC_URL: 'https://cassa.example' });
    web = openDatabase(test.roleUrl('web'), { max: 20, applicationName: 'web' });
    await makeRate(test.db.pool);
  });
  afterAll(async () => {
    await closeDatabase(web);
    await test.drop();
    vi.unstubAllEnvs();
  });
  beforeEach(async () => {
    owner = { userId: (await makeUser(test.db.pool)).id, apiKeyId: null };
    await makeCursor(test.db.pool);
    await makePool(test.db.pool, { count: 60 });
  });

  it('with a coin: priced at the current rate, rounded up, with a wallet of its own', async () => {
    const invoice = await createInvoice(web, owner, body({ cryptoType: 'ETH', externalCode: 'BM-1' }), clock);
    expect(invoice).toMatchObject({
      userId: owner.userId,
      status: 'pending',
      paymentState: 'unpaid',
      amountEuro: 148.5,
      amountEuroCents: 14850,
      amount: '0.04762058',
      amountUnits: '47620580000000000',
      amountRemaining: '0.04762058',
      exchangeRate: '3118.4',
      externalCode: 'BM-1',
      expiryMinutes: 60,
      payUrl: `https://cassa.example/pay/${invoice.uuid}`,
      canForce: false,
      wallet: { cryptoType: 'ETH', balance: '0.00000000', address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/) },
    });
    expect(Date.parse(invoice.expiryDate) - Date.parse(invoice.createdAt)).toBe(3_600_000);
  });

  it('answers exactly what reading it again answers', async () => {
    const made = await createInvoice(web, owner, body({ cryptoType: 'ETH' }), clock);
    const read = await getInvoice(web, owner.userId, made.uuid, () => new Date(made.serverTime));
    expect(read).toEqual({
      ...made,
      payments: [],
      statusHistory: [{ status: 'pending', at: made.createdAt }],
      wrongNetwork: [],
      unexplained: null,
      openIssues: [],
      resolvedAt: null,
      resolutionNote: null,
    });
    expect(await getInvoice(web, owner.userId, String(made.id), () => new Date(made.serverTime))).toEqual(read);
  });

  it('50 at once get 50 different addresses', async () => {
    const made = await Promise.all(
      Array.from({ length: 50 }, () => createInvoice(web, owner, body({ cryptoType: 'ETH' }), clock)),
    );
    expect(new Set(made.map((invoice) => invoice.wallet?.address)).size).toBe(50);
  });

  it('stores nothing when no watched address is free, the watcher is silent, the rate is old, or the coin is off', async () => {
    const attempt = (coin: 'ETH' | 'BNB') => createInvoice(web, owner, body({ cryptoType: coin }), clock);
    await makeCursor(test.db.pool, { loadedGeneration: 0n });
    await expect(attempt('ETH')).rejects.toMatchObject({ code: 'no_address_available', status: 503 });
    await makeCursor(test.db.pool, { updatedAt: new Date(Date.now() - 61_000) });
    await expect(attempt('ETH')).rejects.toMatchObject({ code: 'chain_unavailable', status: 503 });
    await expect(attempt('BNB')).rejects.toMatchObject({ code: 'coin_not_enabled', status: 422 });
    const later = () => new Date(Date.now() + 301_000);
    await expect(createInvoice(web, owner, body({ cryptoType: 'ETH' }), later)).rejects.toMatchObject({
      code: 'rate_unavailable',
      retryAfterSeconds: 30,
    });
    expect((await listInvoices(web, owner.userId, query, clock)).total).toBe(0);
  });

  it('refuses a coin in which the amount is not worth moving, at creation and at the choice', async () => {
    const tiny = createInvoice(web, owner, body({ amountEuro: 0.01, cryptoType: 'ETH' }), clock);
    await expect(tiny).rejects.toMatchObject({ code: 'amount_too_small', status: 422 });
    const { uuid } = await createInvoice(web, owner, body({ amountEuro: 0.15 }), clock);
    await expect(chooseCoin(web, uuid, 'ETH', clock)).rejects.toMatchObject({ code: 'amount_too_small' });
    const least = await createInvoice(web, owner, body({ amountEuro: 0.16, cryptoType: 'ETH' }), clock);
    expect(least.amount).toBe('0.00005131');
  });

  it('without a coin the customer chooses one, once, and a repeated choice does no harm', async () => {
    const { uuid } = await createInvoice(web, owner, body(), clock);
    expect(await getPublicInvoice(web, uuid, clock)).toMatchObject({
      cryptoType: null,
      amount: null,
      wallet: null,
      availableCoins: ['ETH'],
      merchantName: 'Bottega Marani',
    });
    const chosen = await Promise.all(Array.from({ length: 10 }, () => chooseCoin(web, uuid, 'ETH', clock)));
    expect(new Set(chosen.map((invoice) => invoice.wallet?.address)).size).toBe(1);
    expect(chosen[0]).toMatchObject({ cryptoType: 'ETH', amount: '0.04762058' });
    await expect(chooseCoin(web, uuid, 'LTC', clock)).rejects.toMatchObject({ code: 'coin_already_chosen' });
    const { rows } = await test.db.pool.query(
      'SELECT count(*)::int AS n FROM wallet w WHERE w.user_id = $1 AND NOT EXISTS (SELECT 1 FROM invoice WHERE wallet_id = w.id)',
      [owner.userId],
    );
    expect(rows[0].n).toBe(0);
  });

  it('no coin can be chosen once the time is up', async () => {
    const { uuid } = await createInvoice(web, owner, body({ expiryMinutes: 5 }), clock);
    const later = () => new Date(Date.now() + 300_000);
    await expect(chooseCoin(web, uuid, 'ETH', later)).rejects.toMatchObject({ code: 'invoice_not_payable' });
  });

  it("[C7] the customer's email is stored once and shown masked to the public, whole to the merchant", async () => {
    const { uuid } = await createInvoice(web, owner, body(), clock);
    const shown = await setInvoiceEmail(web, uuid, 'elena@example.com', clock);
    expect(shown.email).toBe('el•••@example.com');
    await expect(setInvoiceEmail(web, uuid, 'altra@example.com', clock)).rejects.toMatchObject({
      code: 'email_already_set',
    });
    expect((await getInvoice(web, owner.userId, uuid, clock)).email).toBe('elena@example.com');
  });

  it("another merchant's invoice does not exist (case E1)", async () => {
    const { id, uuid } = await createInvoice(web, owner, body(), clock);
    const stranger = (await makeUser(test.db.pool)).id;
    for (const name of [String(id), uuid]) {
      await expect(getInvoice(web, stranger, name, clock)).rejects.toMatchObject({ code: 'not_found' });
    }
    expect((await listInvoices(web, stranger, query, clock)).total).toBe(0);
  });

  it('lists by page, filter, keyword and order; a keyword is text, not a pattern', async () => {
    for (const description of ['Borsa 100%', 'Borsa 1000', 'Cintura']) {
      await createInvoice(web, owner, body({ description }), clock);
    }
    await makeInvoice(test.db.pool, { userId: owner.userId, externalCode: 'CODICE-7' });
    const list = async (over: object) => {
      const { items, total } = await listInvoices(web, owner.userId, { ...query, ...over }, clock);
      return { total, names: items.map((item) => item.description ?? item.externalCode) };
    };
    expect(await list({})).toEqual({ total: 4, names: ['CODICE-7', 'Cintura', 'Borsa 1000', 'Borsa 100%'] });
    expect(await list({ orderType: 'ASC', pageSize: 2, page: 2 })).toEqual({
      total: 4,
      names: ['Cintura', 'CODICE-7'],
    });
    expect((await list({ searchKeyword: '100%' })).names).toEqual(['Borsa 100%']);
    expect((await list({ searchKeyword: 'codice' })).names).toEqual(['CODICE-7']);
    expect((await list({ cryptoType: 'ETH' })).names).toEqual(['CODICE-7']);
    expect((await list({ status: 'paid' })).total).toBe(0);
  });
});
