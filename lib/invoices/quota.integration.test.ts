import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { CreateInvoiceBody } from '@/lib/api-schema/invoices';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { AppError } from '@/lib/shared/errors';
import { addSeconds } from '@/lib/shared/time';
import { makeCursor, makePool, makeRate, makeUser } from '@/testing/factories';
import { stubWebEnvironment } from '@/testing/stub-web-environment';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { chooseCoin } from './choose-coin';
import { createInvoice } from './create-invoice';

const A_MINUTE = 20;
const OPEN = 45;
/** The beginning of a minute. */
/** Long enough ago that no time of these tests is one that has not come. */
const start = new Date((Math.floor(Date.now() / 60_000) - 120) * 60_000);
const body = (cryptoType: 'ETH' | null) => CreateInvoiceBody.parse({ amountEuro: 148.5, cryptoType });

describe('the quotas of a merchant', () => {
  let test: TestDatabase;
  let web: Database;
  let userId: number;
  /** Seconds after the start at which the next requests come. */
  let at: number;
  const clock = () => addSeconds(start, at);

  beforeAll(async () => {
    test = await createTestDatabase();
    stubWebEnvironment(test.roleUrl('web'), {
      ETH_RPC_URL: 'http://127.0.0.1:1',
      MAX_INVOICES_PER_MINUTE: String(A_MINUTE),
      MAX_OPEN_INVOICES: String(OPEN),
    });
    web = openDatabase(test.roleUrl('web'), { max: 20, applicationName: 'web' });
    await makePool(test.db.pool, { count: 600 });
  });
  afterAll(async () => {
    await closeDatabase(web);
    await test.drop();
    vi.unstubAllEnvs();
  });
  beforeEach(async () => {
    userId = (await makeUser(test.db.pool)).id;
    await moveTo(0);
  });

  /** Moves the clock, and what watcher and dispatcher keep fresh with it. */
  async function moveTo(seconds: number): Promise<void> {
    at = seconds;
    await makeCursor(test.db.pool, { updatedAt: clock() });
    await makeRate(test.db.pool, { at: clock() });
  }

  const create = (coin: 'ETH' | null = 'ETH', of = userId) =>
    createInvoice(web, { userId: of, apiKeyId: null }, body(coin), clock);

  /** What so many requests at once come to, e.g. `{ stored: 20, invoice_rate_exceeded: 80 }`. */
  async function outcomes(count: number, request: (index: number) => Promise<unknown>) {
    const outcome = (index: number) =>
      request(index).then(
        () => 'stored',
        (error) => (error instanceof AppError ? error.code : Promise.reject(error)),
      );
    const counts: Record<string, number> = {};
    for (const name of await Promise.all(Array.from({ length: count }, (_, index) => outcome(index))))
      counts[name] = (counts[name] ?? 0) + 1;
    return counts;
  }

  async function stored() {
    const { rows } = await test.db.pool.query(
      `SELECT (SELECT count(*)::int FROM invoice WHERE user_id = $1) AS invoices,
         (SELECT count(*)::int FROM wallet WHERE user_id = $1) AS wallets,
         (SELECT count(*)::int FROM pool_address WHERE claimed_at IS NULL) AS free,
         (SELECT coalesce(sum(priced_count), 0)::int FROM invoice_quota WHERE user_id = $1) AS priced,
         (SELECT coalesce(sum(open_at_most), 0)::int FROM invoice_quota WHERE user_id = $1) AS open`,
      [userId],
    );
    return rows[0];
  }

  const close = (count: number, status = 'expired') =>
    test.db.pool.query(
      `UPDATE invoice SET status = $3::invoice_status WHERE id IN (SELECT id FROM invoice
         WHERE user_id = $1 AND status = 'pending' LIMIT $2)`,
      [userId, count, status],
    );

  it('of 100 requests at once exactly a minute’s quota gets an address, not one more', async () => {
    expect(await outcomes(100, () => create())).toEqual({ stored: A_MINUTE, invoice_rate_exceeded: 100 - A_MINUTE });
    expect(await stored()).toMatchObject({ invoices: A_MINUTE, wallets: A_MINUTE });
  });

  it('of 100 requests at once exactly as many are opened as may be open, with a coin or without', async () => {
    const mixed = (index: number) => create(index % 10 === 0 ? 'ETH' : null);
    expect(await outcomes(100, mixed)).toEqual({ stored: OPEN, open_invoices_exceeded: 100 - OPEN });
    expect((await stored()).invoices).toBe(OPEN);
  });

  it('the last place of many at once is taken once, after others became free while nobody counted', async () => {
    await outcomes(OPEN, () => create(null));
    await close(3);
    expect(await outcomes(100, () => create(null))).toEqual({ stored: 3, open_invoices_exceeded: 97 });
    await close(1, 'paid');
    expect(await outcomes(100, () => create(null))).toEqual({ stored: 1, open_invoices_exceeded: 99 });
  });

  it('a refused request stores nothing at all, however often it comes', async () => {
    await outcomes(A_MINUTE, () => create());
    await outcomes(OPEN - A_MINUTE, () => create(null));
    const before = await stored();
    expect(await outcomes(60, (index) => create(index % 2 ? 'ETH' : null))).not.toHaveProperty('stored');
    expect(await stored()).toEqual(before);
  });

  it('the minute ends with the clock’s, and Retry-After says so to the second', async () => {
    await outcomes(A_MINUTE, () => create());
    await moveTo(59.5);
    await expect(create()).rejects.toMatchObject({
      code: 'invoice_rate_exceeded',
      status: 429,
      retryAfterSeconds: 1,
      message: 'Hai creato troppe fatture in un minuto: riprova tra poco.',
    });
    await moveTo(60);
    expect(await outcomes(A_MINUTE + 1, () => create())).toEqual({ stored: A_MINUTE, invoice_rate_exceeded: 1 });
  });

  it('a clock that was set back makes no minute longer', async () => {
    await moveTo(3600);
    await outcomes(A_MINUTE, () => create());
    await moveTo(0);
    expect(await outcomes(1, () => create())).toEqual({ stored: 1 });
  });

  it('too many open ones are refused with what to do, until one is over', async () => {
    await outcomes(OPEN, () => create(null));
    await expect(create(null)).rejects.toMatchObject({
      code: 'open_invoices_exceeded',
      status: 429,
      retryAfterSeconds: 60,
      message: 'Hai troppe fatture in attesa: riprova quando qualcuna sarà pagata o scaduta.',
    });
    await close(1);
    expect(await outcomes(1, () => create(null))).toEqual({ stored: 1 });
  });

  it('one merchant’s quota is nobody else’s', async () => {
    await outcomes(A_MINUTE + 1, () => create());
    const other = (await makeUser(test.db.pool)).id;
    expect(await outcomes(A_MINUTE, () => create('ETH', other))).toEqual({ stored: A_MINUTE });
  });

  it('invoices that were there before they were counted are counted', async () => {
    await test.db.pool.query(
      `INSERT INTO invoice (user_id, amount_eur_cents, expiry_minutes, expires_at)
       SELECT $1, 100, 60, now() + interval '1 hour' FROM generate_series(1, $2)`,
      [userId, OPEN - 1],
    );
    expect(await outcomes(10, () => create(null))).toEqual({ stored: 1, open_invoices_exceeded: 9 });
  });

  it('an invoice that a reorg opened again takes no new one’s place', async () => {
    await outcomes(OPEN, () => create(null));
    await test.db.pool.query(
      `UPDATE invoice SET reversed_at = now() WHERE id = (SELECT min(id) FROM invoice WHERE user_id = $1)`,
      [userId],
    );
    expect(await outcomes(2, () => create(null))).toEqual({ stored: 1, open_invoices_exceeded: 1 });
  });

  it('a coin that is chosen takes an address too, and the payer is told what a payer can do', async () => {
    const { uuid } = await create(null);
    const others = await Promise.all(Array.from({ length: A_MINUTE + 9 }, () => create(null)));
    const choices = await outcomes(others.length, (index) => chooseCoin(web, others[index]?.uuid ?? '', 'ETH', clock));
    expect(choices).toEqual({ stored: A_MINUTE, invoice_rate_exceeded: 9 });
    const before = await stored();
    await expect(chooseCoin(web, uuid, 'ETH', clock)).rejects.toMatchObject({
      code: 'invoice_rate_exceeded',
      status: 429,
      retryAfterSeconds: 60,
      message: 'Il negozio riceve molti pagamenti in questo momento: riprova tra un minuto.',
    });
    expect(await stored()).toEqual(before);
    await moveTo(60);
    expect(await chooseCoin(web, uuid, 'ETH', clock)).toMatchObject({ cryptoType: 'ETH' });
  });

  it('a choice that is repeated counts once', async () => {
    const { uuid } = await create(null);
    await Promise.all(Array.from({ length: 30 }, () => chooseCoin(web, uuid, 'ETH', clock)));
    expect((await stored()).priced).toBe(1);
  });

  it('a try that finds no free address or no watcher counts nothing', async () => {
    const { uuid } = await create(null);
    const before = await stored();
    await makeCursor(test.db.pool, { loadedGeneration: 0n, updatedAt: clock() });
    expect(await outcomes(50, () => create())).toEqual({ no_address_available: 50 });
    await expect(chooseCoin(web, uuid, 'ETH', clock)).rejects.toMatchObject({ code: 'no_address_available' });
    await makeCursor(test.db.pool, { updatedAt: addSeconds(clock(), -3600) });
    expect(await outcomes(5, () => create())).toEqual({ chain_unavailable: 5 });
    await expect(chooseCoin(web, uuid, 'ETH', clock)).rejects.toMatchObject({ code: 'chain_unavailable' });
    expect(await stored()).toEqual(before);
  });
});
