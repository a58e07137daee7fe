import { expect, type Page } from '@playwright/test';
import { pay } from '../support/pay';
import { test } from '../support/test';

/** Holds every call to `url` until released; counts them. */
async function hold(page: Page, url: string, method: string) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const calls: string[] = [];
  await page.route(url, async (route) => {
    if (route.request().method() === method) {
      calls.push(route.request().url());
      await released;
    }
    await route.continue();
  });
  return { calls, release };
}

test('a question that is busy cannot be left or answered twice, by pointer or keyboard', async ({
  openPage,
  merchant,
}) => {
  await merchant.createApiKey();
  const page = await openPage({ as: merchant });
  await page.goto('/api-keys');
  const opener = page.getByRole('button', { name: 'Disattiva' });
  await opener.click();
  const question = page.getByRole('alertdialog');
  const confirm = question.getByRole('button', { name: 'Disattiva' });
  const cancel = question.getByRole('button', { name: 'Annulla' });
  const { calls, release } = await hold(page, '**/api/apikeys/*', 'DELETE');
  await confirm.focus();
  await page.keyboard.press('Enter');
  await expect(confirm).toHaveAttribute('aria-busy', 'true');

  await expect(confirm).toBeFocused();
  await expect(confirm).toBeDisabled();
  await expect(cancel).toBeDisabled();
  for (const key of ['Enter', 'Space', 'Escape', 'Escape', 'Escape']) await page.keyboard.press(key);
  await cancel.focus();
  await expect(cancel).toBeFocused();
  for (const key of ['Enter', 'Space', 'Escape', 'Escape']) await page.keyboard.press(key);
  await cancel.click({ force: true });
  await confirm.click({ force: true });
  await page.mouse.click(5, 5);
  await page.mouse.click(5, 5);
  await expect(question).toBeVisible();
  expect(await question.evaluate((element) => element.matches(':modal')), 'the page behind stays inert').toBe(true);
  expect(calls).toHaveLength(1);

  release();
  await expect(question).toBeHidden();
  await expect(page.getByText('API Key disattivata con successo')).toBeVisible();
});

test('a form in a dialog that is busy stays, and sends once', async ({ openPage, merchant }) => {
  const page = await openPage({ as: merchant });
  await page.goto('/api-keys');
  await page.getByRole('button', { name: 'Nuova API Key' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Crea Nuova API Key' });
  const { calls, release } = await hold(page, '**/api/apikeys', 'POST');
  const name = dialog.getByLabel('Nome *');
  await name.fill('Negozio');
  await name.press('Enter');
  const submit = dialog.getByRole('button', { name: 'Creazione in corso...' });
  await expect(submit).toBeDisabled();

  await name.press('Enter');
  await submit.focus();
  for (const key of ['Enter', 'Space', 'Escape', 'Escape']) await page.keyboard.press(key);
  await expect(submit).toBeFocused();
  for (const off of ['Annulla', 'Chiudi']) {
    const button = dialog.getByRole('button', { name: off });
    await expect(button).toBeDisabled();
    await button.click({ force: true });
    await button.focus();
    await page.keyboard.press('Enter');
  }
  await expect(dialog).toBeVisible();
  release();
  await expect(dialog).toBeHidden();
  expect(calls).toHaveLength(1);
  await expect(page.getByRole('article')).toHaveCount(1);
});

test('a question closes on Escape, also the second one, and gives the focus back', async ({ openPage, merchant }) => {
  await merchant.createApiKey();
  const page = await openPage({ as: merchant });
  await page.goto('/api-keys');
  const opener = page.getByRole('button', { name: 'Disattiva' });
  for (let round = 1; round <= 2; round++) {
    await opener.press('Enter');
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('alertdialog')).toBeHidden();
    await expect(opener).toBeFocused();
  }
});

test('the arrow that leads no further keeps the focus and does nothing', async ({ openPage, merchant }) => {
  for (let count = 1; count <= 11; count++) await merchant.createInvoice();
  const page = await openPage({ as: merchant });
  await page.goto('/invoices');
  const next = page.getByRole('button', { name: 'Pagina successiva' });
  await next.focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/invoices?pagina=2');
  await expect(next).toBeFocused();
  await expect(next).toBeDisabled();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Pagina 2' })).toHaveAttribute('aria-current', 'page');
  await expect(page).toHaveURL('/invoices?pagina=2');
});

test('the user menu is walked and closed by keys; what is chosen in it happens once', async ({
  openPage,
  merchant,
}) => {
  const page = await openPage({ as: merchant, viewport: { width: 360, height: 640 } });
  await page.goto('/dashboard');
  const trigger = page.getByRole('button', { name: `Menu di ${merchant.user.name}` });
  const menu = page.getByRole('menu', { name: `Menu di ${merchant.user.name}` });
  await trigger.press('ArrowDown');
  await expect(menu.getByRole('menuitem', { name: 'Impostazioni' })).toBeFocused();
  await page.keyboard.press('End');
  await expect(menu.getByRole('menuitem', { name: 'Logout' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(menu.getByRole('menuitem', { name: 'Impostazioni' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(menu.getByRole('menuitemradio', { name: 'Tema di sistema' })).toBeFocused();
  await expect(menu.getByRole('menuitemradio', { name: 'Tema di sistema' })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(trigger).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(menu).toBeVisible();
  await page.mouse.click(20, 600);
  await expect(menu).toBeHidden();

  await trigger.press('Enter');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/settings');
  await expect(menu).toBeHidden();
});

test('the focus leaves an open menu by Tab for the next control, and never rests on an element that nobody sees', async ({
  openPage,
  merchant,
}) => {
  const page = await openPage({ as: merchant });
  await page.goto('/dashboard');
  const trigger = page.getByRole('button', { name: `Menu di ${merchant.user.name}` });
  const menu = page.getByRole('menu');
  for (const [key, reached] of [
    ['Tab', page.getByRole('button', { name: 'Aggiorna' })],
    ['Shift+Tab', trigger],
  ] as const) {
    await trigger.press('Enter');
    await expect(menu.getByRole('menuitem', { name: 'Impostazioni' })).toBeFocused();
    await page.keyboard.press(key);
    await expect(menu).toBeHidden();
    await expect(reached).toBeFocused();
  }
});

test('a question that a menu opens gives the focus back to the menu’s button', async ({
  openPage,
  merchant,
  instance,
}) => {
  const { uuid } = await merchant.createInvoice({ amountEuro: 80 });
  await merchant.setEmail(uuid);
  await pay(instance, uuid, '0.01');
  await expect.poll(async () => (await merchant.invoice(uuid)).canForce).toBe(true);
  const page = await openPage({ as: merchant });
  await page.goto('/invoices');
  const trigger = page.getByRole('button', { name: /^Altre azioni/ });
  await trigger.press('Enter');
  await page.getByRole('menuitem', { name: 'Forza pagamento' }).press('Enter');
  const question = page.getByRole('alertdialog');
  await expect(question.getByRole('button', { name: 'Forza pagamento' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(trigger).toBeFocused();

  await trigger.click();
  await page.getByRole('menuitem', { name: 'Forza pagamento' }).click();
  await question.getByRole('button', { name: 'Annulla' }).click();
  await expect(trigger).toBeFocused();
});
