import { expect } from '@playwright/test';
import { HealthView } from '@/lib/api-schema/health';
import { InvoiceStatusChanged } from '@/lib/api-schema/webhooks';
import { freeze, thaw } from '@/testing/freeze-process';
import { verifyWebhook } from '@/testing/webhook-inbox';
import { callApi } from '../support/call-api';
import { ChainClock } from '../support/chain-clock';
import { deliveriesOf } from '../support/deliveries-of';
import { expectProblem } from '../support/expect-problem';
import { whileChainIsHeld } from '../support/held-chain';
import { killProcess, pidOf } from '../support/kill-process';
import { pay } from '../support/pay';
import { test } from '../support/test';

/** Long enough for the starter to start a process again and for a dead one's lease to run out. */
const RECOVERY = { timeout: 45_000 };

test('a watcher killed between payment and confirmation comes back, and the invoice is paid once with one webhook', async ({
  instance,
  merchant,
  inbox,
}) => {
  const key = await merchant.createApiKey(inbox.url());
  const invoice = await merchant.createInvoice();
  const { uuid } = invoice;
  const killed = await whileChainIsHeld(instance, async (chain) => {
    await chain.pay(invoice);
    await expect.poll(async () => (await merchant.invoice(uuid)).paymentState).toBe('confirming');
    const pid = killProcess(instance, 'watcher');
    expect((await merchant.invoice(uuid)).status).toBe('pending');
    return pid;
  });

  await expect.poll(async () => (await merchant.invoice(uuid)).status, RECOVERY).toBe('paid');
  expect(pidOf(instance, 'watcher')).not.toBe(killed);
  const paid = await merchant.invoice(uuid);
  expect(paid.payments).toHaveLength(1);
  expect(paid.statusHistory.map(({ status }) => status)).toEqual(['pending', 'paid']);
  await expect.poll(() => deliveriesOf(instance, uuid), RECOVERY).toEqual([{ status: 'delivered', attempts: 1 }]);
  expect(inbox.received).toHaveLength(1);
  const [webhook] = inbox.received;
  if (!webhook) throw new Error('no webhook');
  expect(InvoiceStatusChanged.parse(verifyWebhook(webhook, key.secret)).data).toMatchObject({ uuid, status: 'paid' });
});

test('a payment that is made while no watcher runs is found by the next one', async ({ instance, merchant }) => {
  const { uuid, amount } = await merchant.createInvoice();
  killProcess(instance, 'watcher');
  await pay(instance, uuid);
  await expect.poll(async () => (await merchant.invoice(uuid)).status, RECOVERY).toBe('paid');
  expect(await merchant.invoice(uuid)).toMatchObject({ amountPaid: amount, paymentState: 'settled' });
});

test('a dispatcher killed before the webhook was sent leaves it to the next one', async ({
  instance,
  merchant,
  inbox,
}) => {
  await merchant.createApiKey(inbox.url());
  const { uuid } = await merchant.createInvoice();
  killProcess(instance, 'dispatcher');
  await pay(instance, uuid);
  await expect.poll(() => deliveriesOf(instance, uuid), RECOVERY).toEqual([{ status: 'delivered', attempts: 1 }]);
  expect(inbox.received).toHaveLength(1);
});

test('[S4.1-04] a web process killed comes back with sessions, keys and invoices as they were', async ({
  instance,
  merchant,
}) => {
  const { uuid } = await merchant.createInvoice();
  const { key } = await merchant.createApiKey();
  killProcess(instance, 'web');
  const status = () =>
    callApi(instance.url, '/api/health').then(
      (answer) => answer.status,
      () => 0,
    );
  await expect.poll(status, RECOVERY).toBe(200);
  expect((await merchant.invoice(uuid)).uuid).toBe(uuid);
  expect((await callApi(instance.url, `/api/invoices/${uuid}`, { apiKey: key })).status).toBe(200);
});

test('while the database is frozen health says so within 2 s, the pay page and the API are 503, and then all goes on', async ({
  instance,
  merchant,
}) => {
  const { uuid } = await merchant.createInvoice();
  // freeze refuses 0.
  const postgres = instance.processes.postgres ?? 0;
  freeze(postgres);
  try {
    const begunAt = performance.now();
    expect((await callApi(instance.url, '/api/health')).status).toBe(503);
    expect(performance.now() - begunAt).toBeLessThan(2_000);
    const [page, answer] = await Promise.all([
      callApi(instance.url, `/pay/${uuid}`),
      callApi(instance.url, `/api/invoices/public/${uuid}`),
    ]);
    expect(page.status).toBe(503);
    expect(page.body).toContain('In questo momento non riusciamo a leggerla');
    expect(page.body).not.toContain('è scaduta');
    expectProblem(answer, 'service_unavailable');
    for (const { headers } of [page, answer]) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  } finally {
    thaw(postgres);
  }
  await expect.poll(async () => (await callApi(instance.url, '/api/health')).status, RECOVERY).toBe(200);
  expect((await callApi(instance.url, `/pay/${uuid}`)).status).toBe(200);
  await pay(instance, uuid);
  await expect.poll(async () => (await merchant.invoice(uuid)).status, RECOVERY).toBe('paid');
});

test('health tells the state of each coin', async ({ instance }) => {
  const { status, body } = await callApi(instance.url, '/api/health');
  expect(status).toBe(200);
  expect(HealthView.parse(body)).toMatchObject({ status: 'ok', coins: [{ coin: 'ETH', payable: true, problems: [] }] });
});

test.describe('time', () => {
  test('[S2.12-27] an invoice ends when the chain has passed its end, once, with one webhook', async ({
    instance,
    merchant,
    inbox,
  }) => {
    const clock = new ChainClock(instance);
    await merchant.createApiKey(inbox.url());
    const invoice = await merchant.createInvoice({ expiryMinutes: await clock.expiryAhead() });
    await clock.passExpiry(invoice);
    await expect.poll(async () => (await merchant.invoice(invoice.uuid)).status).toBe('expired');
    await expect.poll(() => inbox.received.length).toBe(1);
    const [webhook] = inbox.received;
    const { data } = InvoiceStatusChanged.parse(JSON.parse(webhook?.body ?? ''));
    expect(data).toMatchObject({ uuid: invoice.uuid, status: 'expired', previousStatus: 'pending' });
    await expect.poll(() => deliveriesOf(instance, invoice.uuid)).toEqual([{ status: 'delivered', attempts: 1 }]);
    const path = `/api/invoices/public/${invoice.uuid}/check-payment`;
    expect((await callApi(instance.url, path)).body).toMatchObject({ isPaid: false, isExpired: true });
  });

  test('money that was seen in time settles the invoice, however late its confirmations come', async ({
    instance,
    merchant,
  }) => {
    const clock = new ChainClock(instance);
    const invoice = await merchant.createInvoice({ expiryMinutes: await clock.expiryAhead() });
    await pay(instance, invoice.uuid);
    await clock.passExpiry(invoice);
    await expect.poll(async () => (await merchant.invoice(invoice.uuid)).status).toBe('paid');
  });
});
