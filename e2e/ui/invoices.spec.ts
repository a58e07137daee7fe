import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { InvoiceList } from '@/lib/api-schema/invoices';
import { formatCrypto, formatEuro, shortHash, shortUuid } from '@/lib/shared/format';
import { MESSAGES } from '@/lib/shared/messages';
import { whileChainIsHeld } from '../support/held-chain';
import { pay } from '../support/pay';
import { readQr } from '../support/read-qr';
import { statusBadge } from '../support/status-badge';
import { test } from '../support/test';

const submit = (page: Page) => page.getByRole('button', { name: 'Crea Fattura' });

test('[S2.10-01..20][S6.2-04][S5.5-01][S5.5-02] an invoice is made on screen: what is missing is said, then it stands in detail and list', async ({
  openPage,
  merchant,
}) => {
  const page = await openPage({ as: merchant });
  await page.goto('/invoices/create');
  await expect(page.getByRole('heading', { level: 1, name: 'Nuova Fattura' })).toBeVisible();
  await expect(page.getByText('tasso di cambio attuale')).toBeVisible();
  await expect(page.getByLabel('Tempo di validità')).toHaveValue('60');
  expect(await page.getByLabel('Tempo di validità').locator('option').allTextContents()).toEqual([
    ...['5 minuti', '15 minuti', '30 minuti', '1 ora', '2 ore', '6 ore', '12 ore', '24 ore'],
  ]);
  const coins = page.getByLabel('Criptovaluta');
  await expect(coins.locator('option')).toHaveText([/Scelta dal cliente/, /ETH/, /BNB/, /TON/, /TRX/, /LTC/]);
  await submit(page).click();
  await expect(page.getByText(MESSAGES.validation.description)).toBeVisible();
  await expect(page.getByText(MESSAGES.validation.amountEuro)).toBeVisible();

  await page.getByLabel('Descrizione').fill('Borsa da medico');
  await page.getByLabel('Importo').fill('148,50');
  await coins.selectOption('ETH');
  await page.getByLabel('Codice Esterno').fill('BM-412');
  await page.getByLabel('Tempo di validità').selectOption('1440');
  await submit(page).click();
  await expect(page).toHaveURL(/\/invoices\/[0-9a-f-]{36}$/);
  const uuid = page.url().slice(-36);
  const invoice = await merchant.invoice(uuid);
  expect(invoice).toMatchObject({
    description: 'Borsa da medico',
    amountEuroCents: 14850,
    cryptoType: 'ETH',
    externalCode: 'BM-412',
    expiryMinutes: 1440,
    userId: merchant.user.id,
  });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Dettagli Fattura ${shortUuid(uuid)}`);
  await page.goto('/invoices');
  const row = page.getByRole('row').filter({ hasText: shortUuid(uuid) });
  await expect(row).toContainText(formatEuro(148.5));
  await expect(row).toContainText(formatCrypto(invoice.amount ?? ''));
  await expect(row).toContainText(MESSAGES.invoiceStatus.pending);
  await row.getByRole('link', { name: /^Visualizza/ }).click();
  await expect(page).toHaveURL(`/invoices/${uuid}`);
});

/** What people type, and the cents that it means. */
const READ = { '1234,56': 123456, '1234.56': 123456, '1.234,56': 123456, '1 234,5': 123450, '0,01': 1 };

/** What is refused, with the message that says why. */
const REFUSED = {
  '1.234': 'Importo ambiguo: scrivi 1234 oppure 1,23',
  '1,234': 'Importo ambiguo: scrivi 1234 oppure 1,23',
  ...Object.fromEntries(
    ['0', '-5', '1e3', '10,123,4', 'dieci', '1000000,01'].map((typed) => [typed, MESSAGES.validation.amountEuro]),
  ),
};

test('[S2.10-03] an amount is read as people in Italy write it, and never guessed', async ({ openPage, merchant }) => {
  const page = await openPage({ as: merchant });
  await page.goto('/invoices/create');
  for (const [typed, message] of Object.entries(REFUSED)) {
    await test.step(typed, async () => {
      await page.getByLabel('Descrizione').fill('Prova');
      await page.getByLabel('Importo').fill('');
      await submit(page).click();
      await expect(page.getByText(MESSAGES.validation.amountEuro)).toBeVisible();
      await page.getByLabel('Importo').fill(typed);
      await submit(page).click();
      await expect(page.getByText(message)).toBeVisible();
    });
  }
  for (const [typed, cents] of Object.entries(READ)) {
    await test.step(typed, async () => {
      await page.goto('/invoices/create');
      await page.getByLabel('Descrizione').fill(typed);
      await page.getByLabel('Importo').fill(typed);
      await submit(page).click();
      await expect(page).toHaveURL(/[0-9a-f-]{36}$/);
      expect((await merchant.invoice(page.url().slice(-36))).amountEuroCents).toBe(cents);
    });
  }
  const { total } = InvoiceList.parse((await merchant.call('/api/invoices')).body);
  expect(total).toBe(Object.keys(READ).length);
});

test('[S2.10-17][S2.10-19] the button tells that it works, twice pressed makes one invoice, Annulla goes back', async ({
  openPage,
  merchant,
}) => {
  const page = await openPage({ as: merchant });
  await page.goto('/invoices/create');
  await page.getByLabel('Descrizione').fill('Una sola');
  await page.getByLabel('Importo').fill('10');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/invoices', async (route) => {
    await held;
    await route.continue();
  });
  await submit(page).click();
  const busy = page.getByRole('button', { name: 'Creazione in corso...' });
  await expect(busy).toBeVisible();
  await busy.dispatchEvent('click');
  await page.getByLabel('Descrizione').press('Enter');
  release();
  await expect(page).toHaveURL(/[0-9a-f-]{36}$/);
  expect(InvoiceList.parse((await merchant.call('/api/invoices')).body).total).toBe(1);
  await page.goto('/invoices/create');
  await page.getByRole('link', { name: 'Annulla' }).click();
  await expect(page).toHaveURL('/invoices');
});

test('[S2.10-21][S8.7-06][S8.5-01] a refused creation says so with the server’s reason, and keeps what was typed', async ({
  openPage,
  merchant,
  guard,
}) => {
  guard.expect(/status of 422 .*\/api\/invoices/);
  const page = await openPage({ as: merchant });
  await page.goto('/invoices/create');
  await page.getByLabel('Descrizione').fill('In litecoin');
  await page.getByLabel('Importo').fill('10');
  await page.getByLabel('Criptovaluta').selectOption('LTC');
  await submit(page).click();
  const toast = page.getByRole('alert').filter({ hasText: 'Errore durante la creazione della fattura' });
  await expect(toast).toContainText(MESSAGES.errors.coin_not_enabled);
  await expect(page.getByLabel('Descrizione')).toHaveValue('In litecoin');
});

test('[S2.11-01..25] the detail shows all that is needed to be paid, each part to be copied', async ({
  openPage,
  merchant,
}) => {
  const { uuid, wallet, amount, exchangeRate } = await merchant.createInvoice({
    amountEuro: 1248.5,
    externalCode: 'BM-412',
    description: 'Borsa',
  });
  const email = await merchant.setEmail(uuid);
  const page = await openPage({ as: merchant });
  await page.goto(`/invoices/${uuid}`);
  await expect(statusBadge(page, MESSAGES.invoiceStatus.pending)).toBeVisible();
  const main = page.getByRole('main');
  for (const text of [formatEuro(1248.5), formatCrypto(amount ?? ''), formatEuro(exchangeRate ?? ''), 'Scadenza']) {
    await expect(main).toContainText(text);
  }
  const code = page.getByRole('img', { name: 'Codice QR dell’indirizzo di pagamento' });
  expect(await readQr(code)).toBe(wallet?.address);
  await expect(main.getByText('esattamente')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Pagamento in attesa' })).toBeVisible();
  await expect(main.getByText('Nessuna transazione trovata per questo wallet')).toBeVisible();
  for (const [name, value] of [
    ['codice negozio', 'BM-412'],
    ['email', email],
    ['importo', amount],
    ['indirizzo', wallet?.address],
  ] as const) {
    await page.getByRole('button', { name: `Copia ${name}`, exact: true }).click();
    const copied = page.getByRole('button', { name: `Copiato: ${name}` });
    await expect(copied).toHaveText('Copiato');
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(value);
  }
});

test('[S2.11-22..33][S4.4-03] the check button finds the payment; the transaction stands with value, confirmations and hash', async ({
  openPage,
  instance,
  merchant,
}) => {
  const invoice = await merchant.createInvoice();
  const { uuid, amount } = invoice;
  const page = await openPage({ as: merchant });
  await page.goto(`/invoices/${uuid}`);
  const check = page.getByRole('button', { name: 'Verifica pagamento' });
  await check.click();
  await expect(page.getByText('Nessun pagamento ricevuto finora')).toBeVisible();
  const hash = await whileChainIsHeld(instance, async (chain) => {
    const paidWith = await chain.pay(invoice);
    await expect.poll(async () => (await merchant.invoice(uuid)).paymentState).toBe('confirming');
    await check.click();
    await expect(page.getByRole('row').filter({ hasText: shortHash(paidWith) })).toBeVisible();
    expect((await merchant.invoice(uuid)).status).toBe('pending');
    return paidWith;
  });
  await expect.poll(async () => (await merchant.invoice(uuid)).status).toBe('paid');
  await expect(statusBadge(page, MESSAGES.invoiceStatus.paid)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Pagamento in attesa' })).toBeHidden();
  const row = page.getByRole('row').filter({ hasText: shortHash(hash) });
  await expect(row).toContainText('Ricevuto');
  await expect(row).toContainText(formatCrypto(amount ?? ''));
  await expect(row.getByRole('link')).toHaveAttribute('href', `https://etherscan.io/tx/${hash}`);
  await expect(page.getByRole('heading', { name: 'Transazioni 1' })).toBeVisible();
});

test('[S6.4-01][S4.4-04][S4.3-03] a part of the money lets the owner force the invoice, after a question', async ({
  openPage,
  instance,
  merchant,
}) => {
  const { uuid } = await merchant.createInvoice({ amountEuro: 80 });
  const page = await openPage({ as: merchant });
  await page.goto(`/invoices/${uuid}`);
  await expect(page.getByRole('button', { name: 'Forza pagamento' })).toBeHidden();
  await pay(instance, uuid, '0.005');
  await expect.poll(async () => (await merchant.invoice(uuid)).paymentState).toBe('partial');
  await page.reload();
  await expect(statusBadge(page, 'Parziale')).toBeVisible();
  await page.getByRole('button', { name: 'Forza pagamento' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Annulla' }).click();
  expect((await merchant.invoice(uuid)).status).toBe('pending');
  await page.getByRole('button', { name: 'Forza pagamento' }).click();
  await question.getByRole('button', { name: 'Forza pagamento' }).click();
  await expect(statusBadge(page, MESSAGES.invoiceStatus.forcePaid)).toBeVisible();
  expect((await merchant.invoice(uuid)).status).toBe('forcePaid');
  await page.goto(`/pay/${uuid}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Pagamento ricevuto!' })).toBeVisible();
});

test('[S2.11-35..37] an unknown invoice, or another merchant’s, is not found and leads back', async ({
  openPage,
  merchant,
  guard,
}) => {
  guard.expect(/status of 404 .*\/api\/invoices\//);
  const page = await openPage({ as: merchant });
  for (const id of [randomUUID(), 'non-un-uuid']) {
    await page.goto(`/invoices/${id}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Fattura non trovata' })).toBeVisible();
    const text = 'La fattura richiesta non esiste o non hai i permessi per visualizzarla.';
    await expect(page.getByText(text)).toBeVisible();
  }
  await page.getByRole('link', { name: 'Torna alle fatture' }).click();
  await expect(page).toHaveURL('/invoices');
});

test('[S2.9-01..07][S9.5-01..03] the list is searched, filtered and turned page by page', async ({
  openPage,
  merchant,
}) => {
  const invoices = [];
  for (let count = 1; count <= 12; count++) {
    const cryptoType = count % 2 === 0 ? 'ETH' : null;
    invoices.push(await merchant.createInvoice({ description: `Ordine n. ${count}`, cryptoType }));
  }
  const page = await openPage({ as: merchant });
  await page.goto('/invoices');
  const rows = page.getByRole('row').filter({ has: page.getByRole('link', { name: /^Visualizza/ }) });
  await expect(rows).toHaveCount(10);
  await expect(page.getByText('Mostrando 1 - 10 di 12 fatture')).toBeVisible();
  await page.getByRole('button', { name: 'Pagina 2' }).click();
  await expect(rows).toHaveCount(2);
  await page.getByRole('searchbox', { name: 'Cerca' }).fill('n. 12');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText(shortUuid(invoices[11]?.uuid ?? ''));
  await page.getByRole('searchbox', { name: 'Cerca' }).fill('');
  await page.getByLabel('Crypto').selectOption('ETH');
  await expect(rows).toHaveCount(6);
  await page.reload();
  await expect(rows).toHaveCount(6);
  await page.getByLabel('Stato').selectOption('paid');
  await expect(page.getByText('Nessuna fattura trovata')).toBeVisible();
  await page.getByRole('button', { name: 'Togli i filtri' }).click();
  await expect(rows).toHaveCount(10);
});
