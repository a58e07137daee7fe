import { expect, type Page } from '@playwright/test';
import { ApiKeyList } from '@/lib/api-schema/api-keys';
import { QUOTAS } from '@/lib/shared/limits';
import { callApi } from '../support/call-api';
import { test } from '../support/test';

const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const toast = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text });

test('[S2.13-01..11][S2.13-18..24][S8.8-01] a new key shows its secret once, is masked, and is revealed and copied whole', async ({
  openPage,
  merchant,
  instance,
}) => {
  const page = await openPage({ as: merchant });
  await page.goto('/api-keys');
  await expect(page.getByText('Nessuna API Key trovata')).toBeVisible();
  await page.getByRole('button', { name: 'Nuova API Key' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Crea Nuova API Key' });
  await expect(dialog.getByLabel('Nome *')).toBeFocused();
  await expect(dialog.getByText('Invia notifiche quando lo stato delle fatture cambia')).toBeVisible();
  await dialog.getByRole('button', { name: 'Crea API Key' }).click();
  await expect(dialog.getByText('Il nome è obbligatorio.')).toBeVisible();
  await dialog.getByLabel('Nome *').fill('Negozio online');
  await dialog.getByLabel('Descrizione').fill('Per gli ordini');
  await dialog.getByLabel('Webhook URL').fill('negozio');
  await dialog.getByRole('button', { name: 'Crea API Key' }).click();
  await expect(dialog.getByText('Inserisci un URL valido')).toBeVisible();
  await dialog.getByLabel('Webhook URL').fill('https://negozio.example/webhook');
  await dialog.getByRole('button', { name: 'Crea API Key' }).click();
  await expect(toast(page, 'API Key creata con successo')).toBeVisible();

  const card = page.getByRole('article').filter({ hasText: 'Negozio online' });
  for (const text of ['Per gli ordini', 'Attiva', 'https://negozio.example/webhook', 'Mai usata', 'Creata il']) {
    await expect(card).toContainText(text);
  }
  await expect(card).toContainText('Visibile solo 1 volta');
  const [view] = ApiKeyList.parse((await merchant.call('/api/apikeys')).body).items;
  await expect(card.getByText(view?.key ?? '', { exact: true })).toBeVisible();
  await card.getByRole('button', { name: 'Copia segreto' }).click();
  const secret = await clipboard(page);
  expect(secret).toMatch(/^whsec_/);
  await card.getByRole('button', { name: 'Copia chiave' }).click();
  const key = await clipboard(page);
  expect(key.slice(0, 14) + key.slice(-7)).toBe((view?.key.slice(0, 14) ?? '') + (view?.key.slice(-7) ?? ''));
  expect((await callApi(instance.url, '/api/invoices', { apiKey: key })).status).toBe(200);

  await page.reload();
  await expect(card).toBeVisible();
  await expect(page.getByText('Visibile solo 1 volta')).toHaveCount(0);
  expect(await page.content()).not.toContain(secret);
  expect(await page.content()).not.toContain(key);
  await card.getByRole('button', { name: 'Mostra la chiave' }).click();
  await expect(card.getByText(key, { exact: true })).toBeVisible();
  await card.getByRole('button', { name: 'Nascondi la chiave' }).click();
  await expect(card.getByText(view?.key ?? '', { exact: true })).toBeVisible();
  await expect(card).toContainText('1 utilizzo');
});

test('[S2.13-07][S2.13-16][S2.13-17][S2.13-19][S8.8-02][S8.8-03][S8.9-01] a key is changed, then deactivated after a question', async ({
  openPage,
  merchant,
  instance,
}) => {
  const { name, key } = await merchant.createApiKey();
  const page = await openPage({ as: merchant });
  await page.goto('/api-keys');
  const card = page.getByRole('article');
  await card.getByRole('button', { name: 'Modifica' }).click();
  const dialog = page.getByRole('dialog', { name: 'Modifica API Key' });
  await expect(dialog.getByLabel('Nome *')).toHaveValue(name);
  await dialog.getByLabel('Nome *').fill('Nuovo nome');
  await dialog.getByRole('button', { name: 'Salva modifiche' }).click();
  await expect(toast(page, 'API Key aggiornata con successo')).toBeVisible();
  await expect(card.getByRole('heading', { name: 'Nuovo nome' })).toBeVisible();

  await card.getByRole('button', { name: 'Disattiva' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText(
    'Sei sicuro di voler disattivare questa API Key? Questa azione non può essere annullata.',
  );
  await expect(question.getByRole('button', { name: 'Annulla' })).toBeFocused();
  await question.getByRole('button', { name: 'Disattiva' }).click();
  await expect(toast(page, 'API Key disattivata con successo')).toBeVisible();
  await expect(card).toContainText('Disattivata');
  await expect(card.getByRole('button', { name: /Modifica|Disattiva/ })).toHaveCount(0);
  expect((await callApi(instance.url, '/api/invoices', { apiKey: key })).status).toBe(401);
});

test('[S8.7-10] a webhook address that is refused is said under its field, and no key is made', async ({
  openPage,
  merchant,
  guard,
}) => {
  guard.expect(/status of 422 .*\/api\/apikeys/);
  const page = await openPage({ as: merchant });
  await page.goto('/api-keys');
  await page.getByRole('button', { name: 'Nuova API Key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Nome *').fill('Dentro');
  await dialog.getByLabel('Webhook URL').fill('http://169.254.169.254/latest');
  await dialog.getByRole('button', { name: 'Crea API Key' }).click();
  await expect(dialog.getByText('Il webhook deve puntare a un indirizzo pubblico su Internet.')).toBeVisible();
  await expect(page.getByRole('alert').filter({ hasText: "Errore nella creazione dell'API Key" })).toBeVisible();
  expect(ApiKeyList.parse((await merchant.call('/api/apikeys')).body).items).toEqual([]);
});

test('one key more than a merchant may have is refused with what to do, in the dialog and as a notification', async ({
  openPage,
  merchant,
  guard,
}) => {
  guard.expect(/status of 429 .*\/api\/apikeys/);
  await Promise.all(Array.from({ length: QUOTAS.activeApiKeys }, () => merchant.createApiKey()));
  const page = await openPage({ as: merchant });
  await page.goto('/api-keys');
  await page.getByRole('button', { name: 'Nuova API Key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Nome *').fill('Una di troppo');
  await dialog.getByRole('button', { name: 'Crea API Key' }).click();
  const sentence = 'Hai il numero massimo di API Key attive: disattivane una che non usi e riprova.';
  await expect(dialog.getByRole('alert')).toHaveText(sentence);
  await expect(page.getByRole('alert').filter({ hasText: "Errore nella creazione dell'API Key" })).toContainText(
    sentence,
  );
});

test('[S2.13-25..30] the help tells how to call and what comes back, and leads to the whole documentation', async ({
  openPage,
  merchant,
}) => {
  const page = await openPage({ as: merchant });
  await page.goto('/api-keys');
  const help = page.getByRole('complementary', { name: 'Come si usa' });
  for (const word of [
    ...['X-API-Key', 'POST /api/invoices', 'description', 'amountEuro', 'cryptoType', 'expiryMinutes', 'externalCode'],
    ...['invoice.statusChanged', 'uuid', 'status', 'timestamp'],
  ]) {
    await expect(help).toContainText(word);
  }
  await help.getByRole('link', { name: 'Documentazione completa' }).click();
  await expect(page).toHaveURL('/docs/api');
  await expect(page.getByRole('heading', { level: 1, name: 'API' })).toBeVisible();
});
