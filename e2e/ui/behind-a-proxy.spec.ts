import { randomUUID } from 'node:crypto';
import { type Browser, expect, type Page } from '@playwright/test';
import { pay } from '../support/pay';
import { type PlainProxy, startPlainProxy } from '../support/plain-proxy';
import { test as base } from '../support/test';

/** A browser that reaches the instance through a proxy which passes on no host. */
const test = base.extend<{ plainProxy: PlainProxy }>({
  plainProxy: async ({ instance }, use) => {
    const proxy = await startPlainProxy(instance.url);
    await use(proxy);
    await proxy.close();
  },
});

async function openThrough(proxy: PlainProxy, browser: Browser, javaScriptEnabled = true): Promise<Page> {
  const context = await browser.newContext({ baseURL: proxy.url, javaScriptEnabled });
  return context.newPage();
}

const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

for (const javaScriptEnabled of [true, false]) {
  test(`the steps of the pay page work behind a proxy that passes no host on, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async ({
    plainProxy: proxy,
    browser,
    merchant,
  }) => {
    const { uuid } = await merchant.createInvoice({ cryptoType: null });
    const page = await openThrough(proxy, browser, javaScriptEnabled);
    await page.goto(`/pay/${uuid}`);
    const email = `${randomUUID()}@cliente.example`;
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Continua al pagamento' }).click();
    await expect(title(page, 'Scegli la criptovaluta')).toBeVisible();
    await page.getByRole('button', { name: 'Continua con ETH' }).click();
    await expect(page.locator('[data-address]')).toBeVisible();
    await expect(page).toHaveURL(`${proxy.url}/pay/${uuid}`);
    const { email: stored, wallet } = await merchant.invoice(uuid);
    expect(stored).toBe(email);
    await expect(page.locator('[data-address]')).toHaveAttribute('data-address', wallet?.address ?? '');
  });
}

test('a pay page whose stream the proxy answered with 502 opens it again and learns of the payment by it', async ({
  plainProxy: proxy,
  browser,
  merchant,
  instance,
}) => {
  const { uuid } = await merchant.createInvoice();
  await merchant.setEmail(uuid);
  const page = await openThrough(proxy, browser);
  // The poll never gets an answer here: what the page learns comes by the stream.
  await page.route('**/check-payment', () => {});
  const stream = (status: number) =>
    page.waitForResponse((response) => response.url().endsWith('/events') && response.status() === status);
  await Promise.all([stream(200), page.goto(`/pay/${uuid}`)]);
  const refused = stream(502);
  proxy.answerWith(502);
  await refused;
  const opened = stream(200);
  proxy.answerWith(null);
  await opened;
  await pay(instance, uuid);
  await expect(title(page, 'Pagamento ricevuto!')).toBeVisible();
});

test('a page whose form is broken off says that it did not work, and nothing about the invoice', async ({
  plainProxy: proxy,
  browser,
  merchant,
}) => {
  const { uuid } = await merchant.createInvoice({ cryptoType: null });
  const page = await openThrough(proxy, browser);
  await page.goto(`/pay/${uuid}`, { waitUntil: 'networkidle' }).catch(() => undefined);
  await page.getByLabel('Email').fill(`${randomUUID()}@cliente.example`);
  await page.route(`**/pay/${uuid}`, (route) => route.fulfill({ status: 500, body: 'Internal Server Error' }));
  await page.getByRole('button', { name: 'Continua al pagamento' }).click();
  await expect(title(page, 'Qualcosa non ha funzionato')).toBeVisible();
  await expect(page.getByText('scaduta')).toHaveCount(0);
  await page.unroute(`**/pay/${uuid}`);
  await page.getByRole('link', { name: 'Riprova' }).click();
  await expect(page.getByLabel('Email')).toBeVisible();
});
