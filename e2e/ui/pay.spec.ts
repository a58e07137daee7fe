import { randomUUID } from 'node:crypto';
import { expect, type Locator, type Page } from '@playwright/test';
import { formatCrypto, formatEuro, shortUuid } from '@/lib/shared/format';
import { PAYMENT_POLL_MS } from '@/lib/shared/limits';
import { MESSAGES } from '@/lib/shared/messages';
import { ageInvoice } from '../support/age-invoice';
import { whileChainIsHeld } from '../support/held-chain';
import { pay } from '../support/pay';
import { readMail } from '../support/read-mail';
import { readQr } from '../support/read-qr';
import { test } from '../support/test';

const customer = () => `${randomUUID()}@cliente.example`;
const title = (page: Page | Locator, name: string) => page.getByRole('heading', { level: 1, name });
const qr = (page: Page) => page.getByRole('img', { name: 'Codice QR dell’indirizzo di pagamento' });
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

/** Opens the pay page and waits until its scripts run: the stream is asked for in the same breath as the clock is read. */
async function gotoLive(page: Page, uuid: string): Promise<void> {
  await Promise.all([page.waitForRequest('**/events'), page.goto(`/pay/${uuid}`)]);
}

async function giveEmail(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Continua al pagamento' }).click();
}

/** Amounts are typeset with a no-break space and grey zeros: compare the text that a reader sees. */
const amountOf = (amount: string | null, coin = 'ETH') => `${formatCrypto(amount ?? '')}\u00a0${coin}`;

test('[S2.12-01..22][S4.6-01][S4.5-01][S1.3-01..04] a customer leaves an email, chooses a coin, pays, and sees it arrive by itself', async ({
  openPage,
  instance,
  merchant,
}) => {
  const invoice = await merchant.createInvoice({ amountEuro: 148.5, cryptoType: null, description: 'Borsa da medico' });
  const page = await openPage();
  // The poll would bring the news after 15 s: it never gets an answer here, so what the page learns came by the stream.
  await page.route('**/check-payment', () => {});
  await page.goto(`/pay/${invoice.uuid}`);
  await expect(title(page, 'Inserisci la tua email')).toBeVisible();
  await expect(page.getByText('Usata solo per la conferma del pagamento.')).toBeVisible();
  await expect(page.getByText(merchant.user.name)).toBeVisible();
  await expect(page.getByText('Borsa da medico')).toBeVisible();
  await expect(page.getByText(formatEuro(148.5)).first()).toBeVisible();
  const email = customer();
  await giveEmail(page, email);

  await expect(title(page, 'Scegli la criptovaluta')).toBeFocused();
  await expect(page.getByRole('radio')).toHaveCount(5);
  expect(await page.getByRole('radio').evaluateAll((all) => all.map((one) => one.getAttribute('value')))).toEqual([
    ...['ETH', 'LTC', 'TRX', 'TON', 'BNB'],
  ]);
  await expect(page.getByText('Rete BEP-20')).toBeVisible();
  await expect(page.getByText('solo con quella moneta')).toBeVisible();
  await page.getByRole('button', { name: 'Continua con ETH' }).click();

  await expect(page.getByRole('timer')).toHaveText(/^Tempo rimanente: \d+:\d\d min$/);
  const { wallet, amount, exchangeRate } = await merchant.invoice(invoice.uuid);
  const address = wallet?.address ?? '';
  expect(await page.locator('[data-address]').textContent()).toBe(address);
  expect(await page.locator('[data-address]').getAttribute('data-address')).toBe(address);
  expect(await readQr(qr(page))).toBe(address);
  expect(await qr(page).evaluate((svg) => svg.getBoundingClientRect().width)).toBe(180);
  await expect(page.getByText(amountOf(amount)).first()).toBeVisible();
  const details = page.getByRole('region', { name: 'Dettagli del pagamento' });
  for (const text of [formatEuro(148.5), formatCrypto(amount ?? ''), formatEuro(exchangeRate ?? ''), 'Scadenza']) {
    await expect(details).toContainText(text);
  }
  await expect(page.getByRole('heading', { name: 'Come pagare' })).toBeVisible();
  await expect(page.getByText('solo ETH')).toBeVisible();
  await expect(page.getByText(/Invieremo la ricevuta a/)).toContainText(
    /^Invieremo la ricevuta a .+•••@cliente\.example$/,
  );

  const loadedAt = await page.evaluate(() => performance.timeOrigin);
  await pay(instance, page.url());
  await expect(title(page, 'Pagamento ricevuto!')).toBeVisible();
  expect(await page.evaluate(() => performance.timeOrigin), 'the page was not loaded again').toBe(loadedAt);
  await expect(title(page, 'Pagamento ricevuto!')).toBeFocused();
  await expect(page.getByText(amountOf(amount)).first()).toBeVisible();
  await expect(page.getByRole('timer')).toHaveCount(0);
  await expect(qr(page)).toHaveCount(0);

  const subjects = async () => (await readMail(instance, email)).map(({ subject }) => subject);
  await expect.poll(subjects).toEqual([`Ricevuta del pagamento ${shortUuid(invoice.uuid)}`]);
  const merchantPage = await openPage({ as: merchant });
  await merchantPage.goto(`/invoices/${invoice.uuid}`);
  await expect(
    merchantPage.getByRole('main').getByText(MESSAGES.invoiceStatus.paid, { exact: true }).first(),
  ).toBeVisible();
  await expect(merchantPage.getByRole('main').getByText(email)).toBeVisible();
  await merchantPage.goto(`/pay/${invoice.uuid}`);
  await expect(title(merchantPage, 'Pagamento ricevuto!')).toBeVisible();
});

test('[S4.5-01] a payment that is seen but not confirmed is said so, and asks for nothing more', async ({
  openPage,
  instance,
  merchant,
}) => {
  const invoice = await merchant.createInvoice();
  await merchant.setEmail(invoice.uuid);
  const page = await openPage();
  await page.goto(`/pay/${invoice.uuid}`);
  await expect(qr(page)).toBeVisible();
  await whileChainIsHeld(instance, async (chain) => {
    await chain.pay(invoice);
    await expect(title(page, 'Pagamento rilevato, in attesa di conferme')).toBeVisible();
    await expect(qr(page)).toBeHidden();
    expect((await merchant.invoice(invoice.uuid)).status).toBe('pending');
  });
  await expect(title(page, 'Pagamento ricevuto!')).toBeVisible();
});

test('[S7.4-04][S9.7-01] without the stream the check every 15 seconds brings the news, and stops at the end', async ({
  openPage,
  instance,
  merchant,
}) => {
  const { uuid } = await merchant.createInvoice();
  await merchant.setEmail(uuid);
  const page = await openPage();
  await page.clock.install();
  await page.route('**/events', () => {});
  let checks = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/check-payment')) checks += 1;
  });
  await gotoLive(page, uuid);
  await expect(qr(page)).toBeVisible();
  await pay(instance, uuid);
  await expect.poll(async () => (await merchant.invoice(uuid)).status).toBe('paid');
  const before = checks;
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/check-payment')),
    page.clock.fastForward(PAYMENT_POLL_MS),
  ]);
  expect(await answer.json()).toMatchObject({ isPaid: true, isExpired: false });
  await expect(title(page, 'Pagamento ricevuto!')).toBeVisible();
  expect(checks).toBe(before + 1);
  await page.clock.fastForward(10 * PAYMENT_POLL_MS);
  expect(checks).toBe(before + 1);
});

test('[S2.12-24..26][S4.5-02] a part is shown with what came and what remains, and the rest is asked for exactly', async ({
  openPage,
  instance,
  merchant,
}) => {
  const { uuid, amount } = await merchant.createInvoice({ amountEuro: 80 });
  await merchant.setEmail(uuid);
  const page = await openPage();
  await page.goto(`/pay/${uuid}`);
  await expect(page.getByText('Invia esattamente')).toBeVisible();
  await pay(instance, uuid, '0.01');
  const banner = page.getByRole('status', { name: 'Pagamento parziale' });
  await expect(banner).toContainText('Pagamento parziale ricevuto');
  await expect(banner).toContainText(amountOf('0.01000000'));
  const { amountRemaining } = await merchant.invoice(uuid);
  await expect(banner).toContainText(amountOf(amountRemaining));
  await page.getByRole('button', { name: 'Copia importo' }).click();
  expect(await clipboard(page)).toBe(amountRemaining);
  await page.getByRole('button', { name: 'Con importo' }).click();
  const wei = BigInt((amountRemaining ?? '').replace('.', '')) * 10n ** 10n;
  const { wallet } = await merchant.invoice(uuid);
  const code = page.getByRole('img', { name: 'Codice QR con indirizzo e importo' });
  expect(await readQr(code)).toBe(`ethereum:${wallet?.address}?value=${wei}`);

  await pay(instance, uuid);
  await expect(title(page, 'Pagamento ricevuto!')).toBeVisible();
  await expect(page.getByText(amountOf(amount)).first()).toBeVisible();
});

test('too much money is acknowledged with the code to ask it back', async ({ openPage, instance, merchant }) => {
  const { uuid } = await merchant.createInvoice({ amountEuro: 10 });
  await merchant.setEmail(uuid);
  const page = await openPage();
  await page.goto(`/pay/${uuid}`);
  await pay(instance, uuid, '0.25');
  await expect(title(page, 'Pagamento ricevuto!')).toBeVisible();
  await expect(page.getByText('più del dovuto')).toContainText(shortUuid(uuid));
});

test('a customer who pays after the end is told not to pay again and whom to write to', async ({
  openPage,
  instance,
  merchant,
}) => {
  const { uuid } = await merchant.createInvoice();
  await merchant.setEmail(uuid);
  await ageInvoice(instance, uuid);
  await expect.poll(async () => (await merchant.invoice(uuid)).status).toBe('expired');
  await pay(instance, uuid, '0.005');
  await expect.poll(async () => (await merchant.invoice(uuid)).paymentState).toBe('late');
  const page = await openPage();
  await page.goto(`/pay/${uuid}`);
  await expect(title(page, 'Fattura scaduta')).toBeVisible();
  await expect(page.getByText('Non inviare altri fondi')).toContainText('0,00500000');
});

test.describe('without JavaScript', () => {
  test('[S2.12-01][S2.12-04][S2.12-13][S2.12-14] plain forms take email and coin, and the page shows address, amount and QR', async ({
    openPage,
    instance,
    merchant,
  }) => {
    const { uuid } = await merchant.createInvoice({ cryptoType: null });
    const page = await openPage({ javaScriptEnabled: false });
    await page.goto(`/pay/${uuid}`);
    await giveEmail(page, 'senza-chiocciola');
    await expect(page.getByText(MESSAGES.validation.publicEmail)).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveValue('senza-chiocciola');
    const email = customer();
    await giveEmail(page, email);
    await expect(title(page, 'Scegli la criptovaluta')).toBeVisible();
    expect((await merchant.invoice(uuid)).email).toBe(email);
    await page.getByRole('radio', { name: /Ethereum/ }).check();
    await page.getByRole('button', { name: 'Continua con ETH' }).click();
    await expect(page).toHaveURL(`/pay/${uuid}`);

    const { wallet, amount } = await merchant.invoice(uuid);
    await expect(page.locator('[data-address]')).toHaveAttribute('data-address', wallet?.address ?? '');
    await expect(page.getByText(amountOf(amount)).first()).toBeVisible();
    expect(await readQr(qr(page))).toBe(wallet?.address);
    await expect(page.getByRole('link', { name: 'Paga con TrustWallet' })).toHaveAttribute(
      'href',
      new RegExp(`asset=c60&address=${wallet?.address}&amount=${amount}`),
    );
    // Asks again by itself as often as the others do.
    expect(await page.locator('noscript').first().innerHTML()).toContain('content="15"');
    await pay(instance, uuid);
    await expect.poll(async () => (await merchant.invoice(uuid)).status).toBe('paid');
    await page.reload();
    await expect(title(page, 'Pagamento ricevuto!')).toBeVisible();
  });
});

test('[S5.6-01][S5.6-02] an email that is none is refused under its field, before anything is sent', async ({
  openPage,
  merchant,
}) => {
  const { uuid } = await merchant.createInvoice({ cryptoType: null });
  const page = await openPage();
  await page.goto(`/pay/${uuid}`);
  for (const text of ['', 'senza-chiocciola.it', 'senza@punto']) {
    await giveEmail(page, text);
    await expect(page.getByText(MESSAGES.validation.publicEmail)).toBeVisible();
    await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true');
  }
  expect((await merchant.invoice(uuid)).email).toBeNull();
});

test('a coin that is chosen in two tabs is chosen once: both show the same address', async ({ openPage, merchant }) => {
  const { uuid } = await merchant.createInvoice({ cryptoType: null });
  await merchant.setEmail(uuid);
  const [first, second] = [await openPage(), await openPage()];
  // The second tab hears nothing of the first: otherwise it moves on by itself, and nobody can press there any more.
  await second.route('**/api/invoices/public/**', () => undefined);
  for (const page of [first, second]) await page.goto(`/pay/${uuid}`);
  await first.getByRole('button', { name: 'Continua con ETH' }).click();
  await expect(qr(first)).toBeVisible();
  await second.getByRole('button', { name: 'Continua con ETH' }).click();
  await expect(qr(second)).toBeVisible();
  expect(await readQr(qr(second))).toBe(await readQr(qr(first)));
});

test('[S2.12-14] address and amount are copied as a wallet wants them', async ({ openPage, merchant }) => {
  const { uuid, wallet, amount } = await merchant.createInvoice();
  await merchant.setEmail(uuid);
  const page = await openPage();
  await page.goto(`/pay/${uuid}`);
  await page.getByRole('button', { name: 'Copia indirizzo' }).click();
  await expect(page.getByRole('button', { name: 'Copiato: indirizzo' })).toBeVisible();
  expect(await clipboard(page)).toBe(wallet?.address);
  await page.getByRole('button', { name: 'Copia importo' }).click();
  expect(await clipboard(page)).toBe(amount);
});

test('[S2.12-15][S2.12-35][S2.12-36] "Paga con TrustWallet" on a desktop copies the address and says what to do', async ({
  openPage,
  merchant,
}) => {
  const { uuid, wallet } = await merchant.createInvoice();
  await merchant.setEmail(uuid);
  const page = await openPage();
  await page.goto(`/pay/${uuid}`);
  await page.getByRole('link', { name: 'Paga con TrustWallet' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Indirizzo copiato');
  expect(await clipboard(page)).toBe(wallet?.address);
});

test('[S2.12-29][S2.12-30] an unknown or misspelt link says that the invoice cannot be loaded', async ({
  openPage,
}) => {
  const page = await openPage();
  for (const id of [randomUUID(), 'non-un-uuid', '42']) {
    await page.goto(`/pay/${id}`);
    await expect(title(page, 'Impossibile caricare la fattura richiesta')).toBeVisible();
    await expect(page.getByText('La fattura richiesta non è disponibile o è scaduta.')).toBeVisible();
  }
});

test('[S4.5-06..08][S2.12-10] the countdown runs by the server’s clock and ends in "Scaduto", with no address left to pay to', async ({
  openPage,
  merchant,
  guard,
}) => {
  guard.expect(/^console warning: check-payment/);
  const { uuid } = await merchant.createInvoice({ expiryMinutes: 60 });
  await merchant.setEmail(uuid);
  const page = await openPage();
  // The server knows that the hour is not over, and would say so.
  await page.route(/\/(check-payment|events)$/, () => {});
  // A customer whose clock is a day off sees the same countdown.
  await page.clock.install({ time: Date.now() - 24 * 3600_000 });
  await gotoLive(page, uuid);
  await expect(page.getByRole('timer')).toHaveText(/^Tempo rimanente: (60:00|59:\d\d) min$/);
  await page.clock.fastForward(50 * 60_000);
  await expect(page.getByRole('timer')).toHaveText(/^Tempo rimanente: (10:00|9:\d\d) min$/);
  await page.clock.fastForward(10 * 60_000 + 5_000);
  await expect(page.getByRole('timer')).toHaveText('Scaduto');
  await expect(title(page, 'Fattura scaduta')).toBeVisible();
  await expect(page.locator('[data-address]')).toHaveCount(0);
});

test('the whole way is open to the keyboard alone', async ({ openPage, merchant }) => {
  const { uuid } = await merchant.createInvoice({ cryptoType: null });
  const page = await openPage();
  await page.goto(`/pay/${uuid}`);
  await expect(title(page, 'Inserisci la tua email')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.keyboard.type(customer());
  await page.keyboard.press('Enter');
  await expect(title(page, 'Scegli la criptovaluta')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('radio', { name: /Ethereum/ })).toBeFocused();
  await page.keyboard.press('Tab');
  const next = page.getByRole('button', { name: 'Continua con ETH' });
  await expect(next).toBeFocused();
  expect(await next.evaluate((button) => getComputedStyle(button).outlineStyle)).not.toBe('none');
  await page.keyboard.press('Enter');
  await expect(title(page, 'Pagamento in ETH')).toBeFocused();
  await reach(page, page.getByRole('button', { name: 'Copia indirizzo' }));
  await page.keyboard.press('Enter');
  const { wallet } = await merchant.invoice(uuid);
  expect(await clipboard(page)).toBe(wallet?.address);
});

/** Presses Tab until an element has the focus. */
async function reach(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 15; presses++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

test('[F1] what a merchant writes is text on every page, never markup', async ({ openPage, merchant }) => {
  const hostile = '<img src=x onerror="document.title=\'rotto\'"><script>document.title="rotto"</script>{{7*7}}';
  const { uuid } = await merchant.createInvoice({ description: hostile, externalCode: hostile.slice(0, 90) });
  const page = await openPage({ as: merchant });
  for (const path of [`/pay/${uuid}`, `/invoices/${uuid}`, '/invoices', '/dashboard']) {
    await page.goto(path);
    await expect(page.getByText(hostile).first(), path).toBeVisible();
    await expect(page).not.toHaveTitle(/rotto/);
    expect(await page.locator('main img[src="x"]').count()).toBe(0);
  }
});
