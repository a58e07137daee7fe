import { expect } from '@playwright/test';
import { test } from '../support/test';

const LINKS = [
  ['Dashboard', '/dashboard'],
  ['I miei Wallet', '/wallets'],
  ['Fatture', '/invoices'],
  ['API Keys', '/api-keys'],
] as const;

test('[S2.2-01..03][S2.2-06][S2.2-08][S2.2-11] the sidebar is 16rem wide and marks the screen that it led to', async ({
  openPage,
  merchant,
}) => {
  const page = await openPage({ as: merchant });
  await page.goto('/dashboard');
  const navigation = page.getByRole('navigation', { name: 'Principale' });
  expect((await page.getByRole('complementary').first().boundingBox())?.width).toBe(256);
  for (const [name, path] of LINKS) {
    await navigation.getByRole('link', { name }).click();
    await expect(page).toHaveURL(path);
    await expect(navigation.locator('[aria-current=page]')).toHaveText(name);
  }
});

test('[S2.2-09][S2.2-10][S2.2-12..14] on a phone the drawer opens from its button, locks the page and closes on a choice', async ({
  openPage,
  merchant,
}) => {
  const page = await openPage({ as: merchant, viewport: { width: 360, height: 640 } });
  await page.goto('/api-keys');
  await expect(page.getByRole('heading', { level: 1, name: 'API Keys' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Principale' })).toBeHidden();
  const menu = page.getByRole('button', { name: 'Apri il menu' });
  await menu.click();
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  for (const [name] of LINKS) await expect(drawer.getByRole('link', { name })).toBeVisible();
  await page.mouse.move(330, 400);
  await page.mouse.wheel(0, 400);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await drawer.getByRole('link', { name: 'I miei Wallet' }).click();
  await expect(drawer).toBeHidden();
  await expect(page).toHaveURL('/wallets');

  await menu.click();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(menu).toBeFocused();
});

test('[S2.2-15..17] the top bar has a bell without behaviour and the user’s name', async ({ openPage, merchant }) => {
  const page = await openPage({ as: merchant });
  await page.goto('/dashboard');
  const bar = page.getByRole('banner');
  await expect(bar.getByText(merchant.user.name)).toBeVisible();
  await bar.getByRole('button', { name: 'Notifiche' }).click();
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('[S2.1-20][S2.1-21] any other path is a 404 page with a way home', async ({ openPage, guard }) => {
  guard.expect(/status of 404 .*\/(non-esiste|pay)$/, /status of 404 .*\/invoices\/a\/b/);
  const page = await openPage();
  for (const path of ['/non-esiste', '/pay', '/invoices/a/b']) {
    const answer = await page.goto(path);
    expect(answer?.status(), path).toBe(404);
    await expect(page.getByRole('heading', { level: 1, name: 'Pagina non trovata' })).toBeVisible();
  }
  await page.getByRole('link', { name: 'Torna alla home' }).click();
  await expect(page).toHaveURL('/login');
});

test('the theme that a merchant chooses stays, and is not the customer’s', async ({ openPage, merchant }) => {
  const { uuid } = await merchant.createInvoice();
  const page = await openPage({ as: merchant, colorScheme: 'light' });
  await page.goto('/dashboard');
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  await page.getByRole('button', { name: `Menu di ${merchant.user.name}` }).click();
  await page.getByRole('menuitemradio', { name: 'Tema scuro' }).click();
  await expect.poll(theme).toBe('dark');
  await page.reload();
  expect(await theme()).toBe('dark');
  await page.goto(`/pay/${uuid}`);
  expect(await theme()).toBeUndefined();
});

test('[S2.5-01..11] the dashboard leads on from nothing, then shows wallets and the five latest invoices', async ({
  openPage,
  merchant,
}) => {
  const page = await openPage({ as: merchant });
  await page.goto('/dashboard');
  await expect(page.getByRole('link', { name: 'Crea un wallet' })).toHaveAttribute('href', '/wallets/create');
  await expect(page.getByRole('main').getByRole('link', { name: 'Nuova Fattura' }).last()).toHaveAttribute(
    'href',
    '/invoices/create',
  );

  await merchant.createWallet('ETH');
  const invoices = [];
  for (let count = 1; count <= 6; count++)
    invoices.push(await merchant.createInvoice({ description: `Ordine ${count}` }));
  await page.getByRole('button', { name: 'Aggiorna' }).click();
  const recent = page.getByRole('region', { name: 'Operazioni recenti' });
  await expect(recent.getByRole('listitem')).toHaveText([6, 5, 4, 3, 2].map((count) => new RegExp(`Ordine ${count}`)));
  await page
    .getByRole('region', { name: 'I miei portafogli' })
    .getByRole('button', { name: /Ethereum/ })
    .click();
  await expect(page.getByRole('dialog', { name: 'Wallet Ethereum' })).toBeVisible();
  await page.getByRole('button', { name: 'Chiudi' }).click();
  await expect(page.getByRole('link', { name: 'Modificare' })).toHaveAttribute('href', '/wallets');
  await expect(page.getByRole('link', { name: 'Mostra tutto' })).toHaveAttribute('href', '/invoices');
  await expect(page.getByText('Valore totale')).toBeVisible();
  await recent.getByRole('link', { name: 'Ordine 6' }).click();
  await expect(page).toHaveURL(`/invoices/${invoices[5]?.uuid}`);
});
