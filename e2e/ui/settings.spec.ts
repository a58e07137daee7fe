import { expect } from '@playwright/test';
import { PaymentRules } from '@/lib/api-schema/payment-rules';
import { parseUnits } from '@/lib/shared/money';
import { pay } from '../support/pay';
import { test } from '../support/test';

test('a merchant sets how much may be missing and what becomes of late money; nonsense is refused under its field', async ({
  openPage,
  merchant,
}) => {
  const rules = async () => PaymentRules.parse((await merchant.call('/api/settings/payments')).body);
  const before = await rules();
  const page = await openPage({ as: merchant });
  await page.goto('/dashboard');
  await page.getByRole('button', { name: `Menu di ${merchant.user.name}` }).click();
  await page.getByRole('menuitem', { name: 'Impostazioni' }).click();
  await expect(page).toHaveURL('/settings');
  const save = page.getByRole('button', { name: 'Salva modifiche' });
  for (const nonsense of ['11', '-1', '0,123', 'poco', '']) {
    await page.getByLabel('Tolleranza').fill(nonsense);
    await save.click();
    await expect(page.getByText('La tolleranza va da 0 a 10 per cento')).toBeVisible();
  }
  expect(await rules()).toEqual(before);
  await page.getByLabel('Tolleranza').fill('0,5');
  await page.getByRole('radio', { name: /Accetta automaticamente/ }).check();
  await save.click();
  await expect(page.getByRole('status').filter({ hasText: 'Impostazioni salvate' })).toBeVisible();
  expect(await rules()).toEqual({ tolerancePercent: 0.5, latePolicy: 'accept' });
  await page.reload();
  await expect(page.getByLabel('Tolleranza')).toHaveValue('0,5');
  await expect(page.getByRole('radio', { name: /Accetta automaticamente/ })).toBeChecked();
});

test('an amount within the merchant’s tolerance pays the invoice', async ({ merchant, instance }) => {
  const json = { tolerancePercent: 10, latePolicy: 'review' };
  expect((await merchant.call('/api/settings/payments', { method: 'PUT', json })).status).toBe(200);
  const { uuid, amount } = await merchant.createInvoice();
  const due = parseUnits(amount ?? '', 8) ?? 0n;
  const nearly = (due * 95n) / 100n;
  await pay(instance, uuid, `0.${String(nearly).padStart(8, '0')}`);
  await expect.poll(async () => (await merchant.invoice(uuid)).status).toBe('paid');
});
