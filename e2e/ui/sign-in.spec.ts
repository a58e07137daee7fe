import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { MESSAGES } from '@/lib/shared/messages';
import { callApi } from '../support/call-api';
import { secretWord } from '../support/secret-word';
import { test } from '../support/test';

const GUARDED = [
  '/dashboard',
  '/api-keys',
  '/wallets',
  '/wallets/1',
  '/invoices',
  '/invoices/create',
  `/invoices/${randomUUID()}`,
];
const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem('token'));
const alert = (page: Page) => page.getByRole('main').getByRole('alert');

test('[S2.4-01..06][S4.1-07][S9.3-01] registration signs in, keeps the token under its key, and goes to the dashboard', async ({
  openPage,
  instance,
}) => {
  const page = await openPage();
  const [name, email, password] = ['Bottega Marani', `${randomUUID()}@bottega.example`, secretWord()];
  await page.goto('/register');
  await page.getByLabel('Nome').fill(name);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Conferma Password').fill(password);
  await page.getByRole('button', { name: 'Registrati' }).click();
  await expect(page).toHaveURL('/dashboard');
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(page.getByRole('banner').getByText(name)).toBeVisible();
  const token = (await storedToken(page)) ?? undefined;
  expect((await callApi(instance.url, '/api/auth/me', { token })).body).toMatchObject({ name, email });
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
});

test('[S5.2-01][S5.2-02] registration asks for all four fields and for the same password twice', async ({
  openPage,
}) => {
  const page = await openPage();
  await page.goto('/register');
  const submit = page.getByRole('button', { name: 'Registrati' });
  await submit.click();
  await expect(alert(page)).toHaveText(MESSAGES.validation.registerRequired);
  await page.getByLabel('Nome').fill('Bottega');
  await page.getByLabel('Email').fill('a@bottega.example');
  await page.getByLabel('Password', { exact: true }).fill('una-parola-lunga');
  await submit.click();
  await expect(alert(page)).toHaveText(MESSAGES.validation.registerRequired);
  await page.getByLabel('Conferma Password').fill('un’altra-parola');
  await submit.click();
  await expect(alert(page)).toHaveText(MESSAGES.validation.passwordsDiffer);
  await expect(page).toHaveURL('/register');
});

test('[S8.3-01] a refused registration shows the server’s own words', async ({ openPage, merchant, guard }) => {
  guard.expect(/status of 409 .*\/api\/auth\/register/);
  const page = await openPage();
  await page.goto('/register');
  await page.getByLabel('Nome').fill('Bottega');
  await page.getByLabel('Email').fill(merchant.user.email);
  await page.getByLabel('Password', { exact: true }).fill(merchant.password);
  await page.getByLabel('Conferma Password').fill(merchant.password);
  await page.getByRole('button', { name: 'Registrati' }).click();
  await expect(alert(page)).toHaveText(MESSAGES.errors.email_taken);
});

test('[S2.3-01..05][S4.1-06] login goes to the dashboard', async ({ openPage, merchant }) => {
  const page = await openPage();
  await page.goto('/login');
  await expect(page.getByRole('heading', { level: 1, name: 'Accedi' })).toBeVisible();
  await page.getByLabel('Email').fill(merchant.user.email);
  await page.getByLabel('Password', { exact: true }).fill(merchant.password);
  await page.getByRole('button', { name: 'Accedi' }).click();
  await expect(page).toHaveURL('/dashboard');
  expect(await storedToken(page)).not.toBeNull();
});

test('[S5.1-01][S8.2-01] login tells what is missing or wrong, and stays where it is', async ({
  openPage,
  merchant,
  guard,
}) => {
  guard.expect(/status of 401 .*\/api\/auth\/login/);
  const page = await openPage();
  await page.goto('/login');
  const submit = page.getByRole('button', { name: 'Accedi' });
  await submit.click();
  await expect(alert(page)).toHaveText(MESSAGES.validation.loginRequired);
  await page.getByLabel('Email').fill(merchant.user.email);
  await submit.click();
  await expect(alert(page)).toHaveText(MESSAGES.validation.loginRequired);
  await page.getByLabel('Password', { exact: true }).fill('sbagliata-del-tutto');
  await submit.click();
  await expect(alert(page)).toHaveText(MESSAGES.errors.invalid_credentials);
  await expect(page).toHaveURL('/login');
  expect(await storedToken(page)).toBeNull();
});

test('login and registration lead to each other', async ({ openPage }) => {
  const page = await openPage();
  await page.goto('/login');
  await page.getByRole('link', { name: 'Registrati' }).click();
  await expect(page).toHaveURL('/register');
  await page.getByRole('link', { name: 'Accedi' }).click();
  await expect(page).toHaveURL('/login');
});

test('[S2.1-06..14][S2.1-19] without a session every signed-in screen leads to login', async ({ openPage }) => {
  const page = await openPage();
  for (const path of ['/', ...GUARDED]) {
    await page.goto(path);
    await expect(page, path).toHaveURL('/login');
    await expect(page.getByRole('heading', { name: 'Accedi' })).toBeVisible();
  }
});

test('[S2.1-04][S2.1-05][S2.1-18] with a session login, registration and home lead to the dashboard', async ({
  openPage,
  merchant,
}) => {
  const page = await openPage({ as: merchant });
  for (const path of ['/', '/login', '/register']) {
    await page.goto(path);
    await expect(page, path).toHaveURL('/dashboard');
  }
});

test('[S8.1-01][S8.1-02][S8.4-01] a dead token is removed and leads to login', async ({
  openPage,
  merchant,
  guard,
}) => {
  guard.expect(/status of 401 .*\/api\//);
  await merchant.call('/api/auth/logout', { method: 'POST' });
  const page = await openPage({ as: merchant });
  await page.goto('/invoices');
  await expect(page).toHaveURL('/login');
  expect(await storedToken(page)).toBeNull();
});

test('a page that is left before its session check is answered keeps the session', async ({ openPage, merchant }) => {
  const page = await openPage({ as: merchant });
  await page.route('**/api/auth/me', () => {}, { times: 1 });
  await Promise.all([page.waitForRequest('**/api/auth/me'), page.goto('/invoices')]);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Fatture' })).toBeVisible();
  expect(await storedToken(page)).toBe(merchant.token);
});

test('[S8.1-01][S8.1-02] a token that dies while a screen is open leads to login at the next call', async ({
  openPage,
  merchant,
  guard,
}) => {
  guard.expect(/status of 401 .*\/api\//);
  const page = await openPage({ as: merchant });
  await page.goto('/wallets');
  await expect(page.getByRole('heading', { name: 'I miei Wallet' })).toBeVisible();
  await merchant.call('/api/auth/logout', { method: 'POST' });
  await page.getByRole('button', { name: 'Aggiorna Saldi' }).click();
  await expect(page).toHaveURL('/login');
  expect(await storedToken(page)).toBeNull();
});

test('[S2.2-19][S4.1-08] logout leads to login, and the token is dead on the server too', async ({
  openPage,
  merchant,
  instance,
}) => {
  const page = await openPage({ as: merchant });
  await page.goto('/dashboard');
  await page.getByRole('button', { name: `Menu di ${merchant.user.name}` }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/login');
  expect(await storedToken(page)).toBeNull();
  await expect
    .poll(async () => (await callApi(instance.url, '/api/auth/me', { token: merchant.token })).status)
    .toBe(401);
});

test('[S4.1-09][S8.4-03][S8.4-04] logout works here even when the server cannot be reached, and is logged', async ({
  openPage,
  merchant,
  guard,
}) => {
  guard.expect(/ERR_CONNECTION_REFUSED .*\/api\/auth\/logout/, /console warning: logout/);
  const page = await openPage({ as: merchant });
  await page.route('**/api/auth/logout', (route) => route.abort('connectionrefused'));
  await page.goto('/dashboard');
  const logged = page.waitForEvent('console', (message) => message.text().startsWith('logout'));
  await page.getByRole('button', { name: `Menu di ${merchant.user.name}` }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/login');
  await logged;
  expect(await storedToken(page)).toBeNull();
});

test('[S2.1-22][S4.1-02] "Caricamento..." fills the screen while the session is checked', async ({
  openPage,
  merchant,
}) => {
  const page = await openPage({ as: merchant });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/auth/me', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/dashboard');
  await expect(page.getByText('Caricamento...')).toBeVisible();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  release();
  await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
});

test('[S7.1-06][S7.0-03] without a token nobody is asked who is there, and no call carries a cookie', async ({
  openPage,
}) => {
  const page = await openPage();
  const calls: string[] = [];
  page.on('request', (request) => request.url().includes('/api/') && calls.push(request.url()));
  await page.goto('/dashboard');
  await expect(page).toHaveURL('/login');
  expect(calls).toEqual([]);
  expect(await page.context().cookies()).toEqual([]);
});
