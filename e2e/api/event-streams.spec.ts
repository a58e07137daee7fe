import { expect } from '@playwright/test';
import { PAYMENT_POLL_MS, STREAM_CAPS } from '@/lib/shared/limits';
import { callApi } from '../support/call-api';
import { expectProblem } from '../support/expect-problem';
import { pay } from '../support/pay';
import { test } from '../support/test';

/** Opens streams of an invoice and leaves them open until the signal aborts. */
async function openStreams(base: string, uuid: string, count: number, signal: AbortSignal): Promise<number[]> {
  const url = `${base}/api/invoices/public/${uuid}/events`;
  const responses = await Promise.all(Array.from({ length: count }, () => fetch(url, { signal })));
  return responses.map(({ status }) => status);
}

test('HEAD opens no stream and runs no GET: it is refused, and health answers it', async ({ instance, merchant }) => {
  const { uuid, id } = await merchant.createInvoice();
  for (const path of [`public/${uuid}/events`, `public/${uuid}/check-payment`, `${id}/check-payment`]) {
    const answer = await merchant.call(`/api/invoices/${path}`, { method: 'HEAD' });
    expect([answer.status, answer.body], path).toEqual([405, '']);
    expect(answer.headers.get('allow')).not.toContain('HEAD');
  }
  const health = await callApi(instance.url, '/api/health', { method: 'HEAD' });
  expect([health.status, health.body]).toEqual([200, '']);
});

test('more streams of an invoice than it may have are refused, and its pay page learns of the payment all the same', async ({
  instance,
  merchant,
  openPage,
  guard,
}) => {
  guard.expect(/^console error: .* 429 .*\/events/);
  const { uuid } = await merchant.createInvoice();
  await merchant.setEmail(uuid);
  const leave = new AbortController();
  const statuses = await openStreams(instance.url, uuid, STREAM_CAPS.perInvoice, leave.signal);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const refused = await callApi(instance.url, `/api/invoices/public/${uuid}/events`);
  expectProblem(refused, 'too_many_streams');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

  const page = await openPage();
  const answered = page.waitForResponse('**/events');
  await page.goto(`/pay/${uuid}`);
  expect((await answered).status()).toBe(429);
  await pay(instance, uuid);
  await expect(page.getByRole('heading', { name: 'Pagamento ricevuto!' })).toBeVisible({
    timeout: 3 * PAYMENT_POLL_MS,
  });
  leave.abort();
  await expect
    .poll(async () => (await openStreams(instance.url, uuid, 1, AbortSignal.timeout(1_000)))[0], { timeout: 10_000 })
    .toBe(200);
});
