import { expect, type Page } from '@playwright/test';
import { formatCrypto } from '@/lib/shared/format';
import { MESSAGES } from '@/lib/shared/messages';
import type { Instance } from '@/starter/instance';
import { ageInvoice } from '../support/age-invoice';
import { freeAddress } from '../support/free-address';
import { makeOperator } from '../support/make-operator';
import type { Merchant } from '../support/merchant';
import { pay } from '../support/pay';
import { payByContract } from '../support/pay-by-contract';
import { runScript } from '../support/run-script';
import { statusBadge } from '../support/status-badge';
import { test } from '../support/test';

const panel = (page: Page) => page.getByRole('region', { name: 'Da gestire' });

async function openInvoice(page: Page, uuid: string): Promise<void> {
  await page.goto(`/invoices/${uuid}`);
  await expect(page.getByRole('heading', { level: 1, name: /^Dettagli Fattura/ })).toBeVisible();
}

async function expectState(merchant: Merchant, uuid: string, paymentState: string): Promise<void> {
  await expect.poll(async () => (await merchant.invoice(uuid)).paymentState).toBe(paymentState);
}

test('too much money waits for the owner, who keeps it with a note', async ({ openPage, instance, merchant }) => {
  const { uuid } = await merchant.createInvoice({ amountEuro: 10 });
  await pay(instance, uuid, '0.25');
  await expectState(merchant, uuid, 'overpaid');
  const page = await openPage({ as: merchant });
  await openInvoice(page, uuid);
  await expect(panel(page)).toContainText('Pagamento superiore al dovuto');
  await expect(panel(page)).toContainText('0,25000000');
  await panel(page).getByRole('button', { name: 'Tieni la differenza' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Annulla' }).click();
  expect((await merchant.invoice(uuid)).openIssues).toEqual(['overpaid']);
  await panel(page).getByRole('button', { name: 'Tieni la differenza' }).click();
  await question.getByLabel('Nota interna').fill('Mancia, dice il cliente');
  await question.getByRole('button', { name: 'Tieni la differenza' }).click();
  await expect(page.getByText('Differenza tenuta')).toBeVisible();
  await expect(panel(page)).toBeHidden();
  await expect(page.getByLabel('Nota interna')).toHaveValue('Mancia, dice il cliente');
  expect(await merchant.invoice(uuid)).toMatchObject({ status: 'paid', paymentState: 'overpaid', openIssues: [] });
});

test('late money that the owner accepts pays the invoice', async ({ openPage, instance, merchant }) => {
  const uuid = await paidLate(merchant, instance);
  const page = await openPage({ as: merchant });
  await openInvoice(page, uuid);
  await expect(panel(page)).toContainText('Pagamento arrivato in ritardo');
  await panel(page).getByRole('button', { name: 'Accetta il pagamento' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Accetta il pagamento' }).click();
  await expect(page.getByText('Pagamento accettato')).toBeVisible();
  await expect(statusBadge(page, MESSAGES.invoiceStatus.paid)).toBeVisible();
  await expect(panel(page)).toBeHidden();
  expect((await merchant.invoice(uuid)).status).toBe('paid');
});

test('late money that the owner marks as dealt with leaves the invoice expired', async ({
  openPage,
  instance,
  merchant,
}) => {
  const uuid = await paidLate(merchant, instance);
  const page = await openPage({ as: merchant });
  await openInvoice(page, uuid);
  await panel(page).getByRole('button', { name: 'Segna come gestito' }).click();
  const question = page.getByRole('alertdialog');
  await question.getByLabel('Nota interna').fill('Rimborsato in contanti');
  await question.getByRole('button', { name: 'Segna come gestito' }).click();
  await expect(page.getByText('Segnato come gestito')).toBeVisible();
  await expect(panel(page)).toBeHidden();
  await expect(page.getByText('Segnata come gestita il')).toBeVisible();
  expect(await merchant.invoice(uuid)).toMatchObject({ status: 'expired', openIssues: [] });
});

test('money that a contract sent is shown as unexplained until the operator credits it; then it pays the invoice', async ({
  openPage,
  instance,
  merchant,
}) => {
  test.slow();
  const { uuid, amount, wallet } = await merchant.createInvoice();
  await payByContract(instance, wallet?.address ?? '', amount ?? '');
  // A comparison is made at a final block: it is asked for until there is one. It ends as a failure, for it finds a difference.
  const compare = () => runScript(instance, 'reconcile').catch(() => undefined);
  const isFound = async () => {
    await compare();
    return (await merchant.invoice(uuid)).unexplained;
  };
  await expect.poll(isFound, { timeout: 200_000 }).toBe(amount);
  const page = await openPage({ as: merchant });
  await openInvoice(page, uuid);
  await expect(panel(page)).toContainText('Denaro da verificare');
  await expect(panel(page)).toContainText('non corrispondono a nessun pagamento visto');
  await expect(panel(page).getByRole('button')).toHaveCount(0);
  expect(await merchant.invoice(uuid)).toMatchObject({ status: 'pending', paymentState: 'unpaid' });

  expect(await runScript(instance, 'credit', 'ETH', wallet?.address ?? '', '--operator', 'anna')).toContain('credited');
  await expect.poll(async () => (await merchant.invoice(uuid)).status).toBe('paid');
  await page.reload();
  await expect(statusBadge(page, MESSAGES.invoiceStatus.paid)).toBeVisible();
  await expect(panel(page)).toBeHidden();
});

async function paidLate(merchant: Merchant, instance: Instance): Promise<string> {
  const { uuid } = await merchant.createInvoice();
  await merchant.setEmail(uuid);
  await ageInvoice(instance, uuid);
  await expect.poll(async () => (await merchant.invoice(uuid)).status).toBe('expired');
  await pay(instance, uuid);
  await expectState(merchant, uuid, 'late');
  return uuid;
}

test('money on an address that nobody holds finds its owner through the operator', async ({
  openPage,
  instance,
  merchant,
  guard,
}) => {
  guard.expect(/^console error: .*404 .*\/attach$/);
  const wallet = await merchant.createWallet();
  await makeOperator(instance, merchant);
  // Eight decimals, as screens show them, and no other deposit's.
  const amount = `0.7${String(Date.now()).slice(-7)}`;
  await runScript(instance, 'devnet', 'fund', 'ETH', await freeAddress(instance), amount);
  const shown = formatCrypto(amount);

  const page = await openPage({ as: merchant });
  await page.goto('/admin/unattributed');
  const attach = page.getByRole('button', { name: `Attribuisci ${shown} ETH` });
  await expect(async () => {
    await page.reload();
    await expect(attach).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await attach.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Wallet o fattura').fill('non-esiste');
  await dialog.getByRole('button', { name: 'Attribuisci' }).click();
  await expect(dialog.getByText('Nessun wallet e nessuna fattura con questo codice.')).toBeVisible();
  await dialog.getByLabel('Wallet o fattura').fill(wallet.uuid);
  await dialog.getByLabel('Nota').fill('Mail del cliente');
  await dialog.getByRole('button', { name: 'Attribuisci' }).click();
  await expect(page.getByText('Fondi attribuiti')).toBeVisible();
  await expect(attach).toBeHidden();

  await page.goto(`/wallets/${wallet.uuid}`);
  await expect(page.getByRole('main').getByText(shown).first()).toBeVisible();
});
