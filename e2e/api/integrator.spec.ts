import { expect } from '@playwright/test';
import { z } from 'zod';
import { ApiKeyView } from '@/lib/api-schema/api-keys';
import { InvoiceDetailView, InvoiceList, InvoiceView } from '@/lib/api-schema/invoices';
import { InvoiceStatusChanged } from '@/lib/api-schema/webhooks';
import { parseUnits } from '@/lib/shared/money';
import { verifyWebhook } from '@/testing/webhook-inbox';
import { ageInvoice } from '../support/age-invoice';
import { callApi } from '../support/call-api';
import { deliveriesOf } from '../support/deliveries-of';
import { pay } from '../support/pay';
import { runScript } from '../support/run-script';
import { test } from '../support/test';

const units = (amount: string) => parseUnits(amount, 18) ?? 0n;

test('[S7.7-02][S2.13-27..29] from a key to a paid invoice: one real payment, one signed webhook', async ({
  instance,
  merchant,
  inbox,
}) => {
  const wallet = await merchant.createWallet('ETH');
  const key = await merchant.createApiKey(inbox.url());
  const order = { description: 'Ordine 412', amountEuro: 148.5, cryptoType: 'ETH', expiryMinutes: 60 };
  const created = await callApi(instance.url, '/api/invoices', {
    apiKey: key.key,
    json: { ...order, externalCode: 'BM-2026-0412' },
  });
  expect(created.status).toBe(201);
  const invoice = InvoiceView.parse(created.body);
  expect(invoice).toMatchObject({
    ...order,
    externalCode: 'BM-2026-0412',
    status: 'pending',
    paymentState: 'unpaid',
    userId: merchant.user.id,
    amountEuroCents: 14850,
  });
  expect(invoice.wallet?.address).not.toBe(wallet.address);

  const hash = (await runScript(instance, 'pay', invoice.payUrl)).split('\n').at(-1) ?? '';
  expect(hash).toMatch(/^0x[0-9a-f]{64}$/);
  const read = async () =>
    InvoiceDetailView.parse((await callApi(instance.url, `/api/invoices/${invoice.uuid}`, { apiKey: key.key })).body);
  await expect.poll(async () => (await read()).status).toBe('paid');
  const paid = await read();
  expect(paid).toMatchObject({ paymentState: 'settled', amountPaid: invoice.amount, amountRemaining: '0.00000000' });
  expect(paid.payments).toMatchObject([{ hash, amount: invoice.amount, status: 'confirmed' }]);

  await expect.poll(() => inbox.received.length).toBe(1);
  const [webhook] = inbox.received;
  if (!webhook) throw new Error('no webhook');
  const event = InvoiceStatusChanged.parse(verifyWebhook(webhook, key.secret));
  expect(event).toMatchObject({
    event: 'invoice.statusChanged',
    data: { uuid: invoice.uuid, status: 'paid', externalCode: 'BM-2026-0412', previousStatus: 'pending' },
  });
  expect(() => verifyWebhook({ ...webhook, body: webhook.body.replace('paid', 'pending') }, key.secret)).toThrow();
  // Nothing is left to be sent: one event, one delivery, delivered at the first attempt.
  await expect.poll(() => deliveriesOf(instance, invoice.uuid)).toEqual([{ status: 'delivered', attempts: 1 }]);
  expect(inbox.received).toHaveLength(1);
});

test('[S2.13-13][S2.13-15] a key counts its uses and remembers the last', async ({ instance, merchant }) => {
  const key = await merchant.createApiKey();
  expect(key).toMatchObject({ usageCount: 0, lastUsedAt: null });
  for (let use = 1; use <= 2; use++) await callApi(instance.url, '/api/invoices', { apiKey: key.key });
  const read = async () => ApiKeyView.parse((await merchant.call(`/api/apikeys/${key.id}`)).body);
  await expect.poll(async () => (await read()).usageCount).toBe(2);
  expect((await read()).lastUsedAt).not.toBeNull();
});

test('[S4.3-06] a part is shown as a part, and the rest completes the payment', async ({
  instance,
  merchant,
  inbox,
}) => {
  const key = await merchant.createApiKey(inbox.url());
  const json = { amountEuro: 40, cryptoType: 'ETH', expiryMinutes: 1440 };
  const created = await callApi(instance.url, '/api/invoices', { apiKey: key.key, json });
  const invoice = InvoiceView.parse(created.body);
  await pay(instance, invoice.uuid, '0.005');
  await expect.poll(async () => (await merchant.invoice(invoice.uuid)).paymentState).toBe('partial');
  const partial = await merchant.invoice(invoice.uuid);
  expect(partial).toMatchObject({ status: 'pending', amountPaid: '0.00500000' });
  expect(units(partial.amountRemaining ?? '')).toBe(units(invoice.amount ?? '') - units('0.005'));

  await pay(instance, invoice.uuid);
  await expect.poll(async () => (await merchant.invoice(invoice.uuid)).status).toBe('paid');
  const paid = await merchant.invoice(invoice.uuid);
  expect(paid).toMatchObject({ paymentState: 'settled', amountPaid: invoice.amount });
  expect(paid.payments).toHaveLength(2);
  await expect.poll(() => deliveriesOf(instance, invoice.uuid)).toEqual([{ status: 'delivered', attempts: 1 }]);
  expect(inbox.received.map(({ body }) => InvoiceStatusChanged.parse(JSON.parse(body)).data.status)).toEqual(['paid']);
});

test('too much money pays the invoice, says so, and stays the merchant’s', async ({ instance, merchant, inbox }) => {
  const key = await merchant.createApiKey(inbox.url());
  const json = { amountEuro: 10, cryptoType: 'ETH' };
  const invoice = InvoiceView.parse((await callApi(instance.url, '/api/invoices', { apiKey: key.key, json })).body);
  await pay(instance, invoice.uuid, '0.5');
  await expect.poll(async () => (await merchant.invoice(invoice.uuid)).status).toBe('paid');
  const paid = await merchant.invoice(invoice.uuid);
  expect(paid).toMatchObject({ paymentState: 'overpaid', amountPaid: '0.50000000', amountRemaining: '0.00000000' });
  expect(paid.wallet?.balance).toBe('0.50000000');
  expect(paid.openIssues).toContain('overpaid');
  await expect.poll(() => inbox.received.length).toBeGreaterThan(0);
  const [webhook] = inbox.received;
  if (!webhook) throw new Error('no webhook');
  expect(verifyWebhook(webhook, key.secret)).toMatchObject({ data: { status: 'paid', paymentState: 'overpaid' } });
});

test('money that comes after the end is shown as late and left to the owner, who may force the invoice', async ({
  instance,
  merchant,
}) => {
  const { uuid, amount } = await merchant.createInvoice();
  await merchant.setEmail(uuid);
  await ageInvoice(instance, uuid);
  await expect.poll(async () => (await merchant.invoice(uuid)).status).toBe('expired');
  await pay(instance, uuid, amount ?? '');
  await expect.poll(async () => (await merchant.invoice(uuid)).paymentState).toBe('late');
  expect(await merchant.invoice(uuid)).toMatchObject({ status: 'expired', openIssues: ['late'], canForce: true });
  const forced = await merchant.call(`/api/invoices/${uuid}/force-payment`, { method: 'PUT' });
  expect(forced.body).toMatchObject({ isPaid: true, status: 'forcePaid' });
});

test('an invoice made on screen notifies every active key with a URL, each with its own signature', async ({
  instance,
  merchant,
  inbox,
}) => {
  const first = await merchant.createApiKey(inbox.url('/first'));
  const second = await merchant.createApiKey(inbox.url('/second'));
  const retired = await merchant.createApiKey(inbox.url('/retired'));
  await merchant.call(`/api/apikeys/${retired.id}`, { method: 'DELETE' });
  const invoice = await merchant.createInvoice();
  await pay(instance, invoice.uuid);
  await expect.poll(() => inbox.received.map(({ path }) => path).sort()).toEqual(['/first', '/second']);
  for (const webhook of inbox.received) {
    const { secret } = webhook.path === '/first' ? first : second;
    expect(verifyWebhook(webhook, secret)).toMatchObject({ data: { uuid: invoice.uuid, status: 'paid' } });
  }
  await expect.poll(() => deliveriesOf(instance, invoice.uuid)).toHaveLength(2);
});

test('a webhook that is refused is sent again under the same id until it is taken', async ({
  merchant,
  inbox,
  instance,
}) => {
  inbox.answer('/hook', { status: 500, body: 'not now' });
  const key = await merchant.createApiKey(inbox.url());
  const invoice = await merchant.createInvoice();
  await pay(instance, invoice.uuid);
  await expect.poll(() => inbox.received.length, { timeout: 30_000 }).toBe(2);
  const ids = inbox.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(1);
  for (const webhook of inbox.received) verifyWebhook(webhook, key.secret);
  await expect.poll(() => deliveriesOf(instance, invoice.uuid)).toEqual([{ status: 'delivered', attempts: 2 }]);
});

test('a payment to one invoice leaves the merchant’s other invoices as they are', async ({ instance, merchant }) => {
  const [paid, other] = [await merchant.createInvoice(), await merchant.createInvoice()];
  expect(paid.wallet?.address).not.toBe(other.wallet?.address);
  await pay(instance, paid.uuid);
  await expect.poll(async () => (await merchant.invoice(paid.uuid)).status).toBe('paid');
  expect(await merchant.invoice(other.uuid)).toMatchObject({ status: 'pending', paymentState: 'unpaid' });
});

test('[S7.3-01..06] the list is paged, newest first, and filtered', async ({ merchant }) => {
  const made = [];
  for (const description of ['uno', 'due', 'tre']) made.push(await merchant.createInvoice({ description }));
  const list = async (query: string) => InvoiceList.parse((await merchant.call(`/api/invoices${query}`)).body);
  const [first, second, third] = made.map(({ uuid }) => uuid);
  const uuids = async (query: string) => (await list(query)).items.map(({ uuid }) => uuid);
  expect(await uuids('')).toEqual([third, second, first]);
  expect(await uuids('?orderType=ASC')).toEqual([first, second, third]);
  expect(await uuids('?pageSize=2&page=2')).toEqual([first]);
  expect(await uuids('?searchKeyword=due')).toEqual([second]);
  expect(await uuids('?status=paid')).toEqual([]);
  expect(await uuids('?cryptoType=BNB')).toEqual([]);
  expect(await list('?pageSize=2')).toMatchObject({ page: 1, pageSize: 2, total: 3, totalItems: 3, totalPages: 2 });
});

test('[S7.7-01] the price of a coin is a decimal text in EUR', async ({ instance }) => {
  const { body } = await callApi(instance.url, '/api/crypto/price?symbol=ETH&currency=EUR');
  const { price } = z.object({ price: z.string() }).parse(body);
  expect(Number(price)).toBeGreaterThan(0);
});
