import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { callControl } from '@/devnet/control/call-control';
import { WalletList } from '@/lib/api-schema/wallets';
import { shortAddress, shortHash } from '@/lib/shared/format';
import { readQr } from '../support/read-qr';
import { test } from '../support/test';

test('[S2.6-01..07][S7.2-07] a merchant creates the ETH wallet, sees its address, and is offered what is still missing', async ({
  openPage,
  merchant,
}) => {
  const page = await openPage({ as: merchant });
  await page.goto('/wallets');
  const offers = page.getByRole('region', { name: 'Crea nuovi wallet' });
  await expect(offers.getByRole('listitem')).toHaveText([/Ethereum/, /BNB/, /TON/, /TRON/, /Litecoin/]);
  await page.getByRole('button', { name: 'Crea wallet ETH' }).click();
  await expect(page.getByText('Wallet ETH creato')).toBeVisible();
  await expect(offers.getByRole('listitem')).toHaveText([/BNB/, /TON/, /TRON/, /Litecoin/]);

  const [wallet] = WalletList.parse((await merchant.call('/api/wallets?type=primary')).body).items;
  if (!wallet) throw new Error('no wallet');
  const card = page.getByRole('article');
  await expect(card).toContainText(shortAddress(wallet.address));
  await expect(card).toContainText('Wallet Principale');
  await expect(card).toContainText('0,00000000');
  await card.getByRole('button', { name: 'Copia indirizzo ETH' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(wallet.address);
  await expect(card.getByRole('button', { name: 'Copiato: indirizzo ETH' })).toBeVisible();
});

test('[S2.1-17] the toast of a new wallet stands at the bottom right', async ({ openPage, merchant }) => {
  const page = await openPage({ as: merchant, viewport: { width: 1280, height: 720 } });
  await page.goto('/wallets');
  await page.getByRole('button', { name: 'Crea wallet ETH' }).click();
  const toast = page.getByRole('status').filter({ hasText: 'Wallet ETH creato' });
  await expect
    .poll(async () => {
      const box = await toast.boundingBox();
      return box !== null && box.x + box.width > 1200 && box.y + box.height > 650;
    })
    .toBe(true);
});

test('[S2.5-10] /wallets/create leads to the coins that can be added', async ({ openPage, merchant }) => {
  const page = await openPage({ as: merchant });
  await page.goto('/wallets/create');
  await expect(page).toHaveURL(/\/wallets#/);
  await expect(page.getByRole('heading', { name: 'Crea nuovi wallet' })).toBeInViewport();
});

test('[S2.7-01..13] a wallet’s screen shows its address as QR and text, and money that was sent to it', async ({
  openPage,
  merchant,
  instance,
}) => {
  const wallet = await merchant.createWallet();
  const page = await openPage({ as: merchant });
  await page.goto(`/wallets/${wallet.uuid}`);
  await expect(page.getByText('Wallet Principale')).toBeVisible();
  const code = page.getByRole('img', { name: 'Codice QR dell’indirizzo del wallet' });
  expect(await readQr(code)).toBe(wallet.address);
  expect(await code.evaluate((svg) => svg.getBoundingClientRect().width)).toBe(180);
  expect(await page.locator('[data-address]').textContent()).toBe(wallet.address);
  await page.getByRole('button', { name: 'Copia indirizzo' }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(wallet.address);

  const { devnet } = instance;
  if (!devnet) throw new Error('no devnet');
  const { hash } = await callControl(devnet, 'fund', { coin: 'ETH', address: wallet.address, amount: '1.5' });
  const balance = async () => (await merchant.call(`/api/wallets/${wallet.id}/balance`)).body;
  await expect.poll(balance).toMatchObject({ balance: '1.50000000' });
  await page.getByRole('button', { name: 'Aggiorna saldo' }).click();
  await expect(page.getByRole('main')).toContainText('1,50000000');
  const row = page.getByRole('row').filter({ hasText: 'Ricevuto' });
  await expect(row).toContainText('1,50000000');
  await expect(row).toContainText(shortHash(hash ?? ''));
});

test('[S2.7-14][S8.7-04] an unknown wallet, or another merchant’s, is not found and leads back', async ({
  openPage,
  merchant,
  guard,
}) => {
  guard.expect(/status of 404 .*\/api\/wallets\//);
  const page = await openPage({ as: merchant });
  for (const id of [randomUUID(), 'non-un-uuid']) {
    await page.goto(`/wallets/${id}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Wallet non trovato' })).toBeVisible();
    await expect(page.getByRole('alert').filter({ hasText: 'Wallet non trovato' })).toBeVisible();
  }
  await page.getByRole('link', { name: 'Torna ai wallet' }).click();
  await expect(page).toHaveURL('/wallets');
});

test('[S8.7-01] wallets that do not load say so, and can be asked for again', async ({ openPage, merchant, guard }) => {
  guard.expect(/ERR_CONNECTION_REFUSED .*\/api\/wallets/);
  const page = await openPage({ as: merchant });
  await page.route('**/api/wallets?*', (route) => route.abort('connectionrefused'));
  await page.goto('/wallets');
  await expect(page.getByText('Impossibile caricare i wallet. Riprova più tardi.')).toBeVisible();
  await page.unroute('**/api/wallets?*');
  await page.getByRole('button', { name: 'Riprova' }).click();
  await expect(page.getByRole('heading', { name: 'Crea nuovi wallet' })).toBeVisible();
});
