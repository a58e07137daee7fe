import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import type { Instance } from '@/starter/instance';
import { freeAddress } from './free-address';
import { makeOperator } from './make-operator';
import type { Merchant } from './merchant';
import { pay } from './pay';
import { runScript } from './run-script';

export interface Screen {
  name: string;
  /** Only the merchant sees it. */
  signedIn?: boolean;
  /** Makes what the screen shows. @returns its path */
  path: (merchant: Merchant, instance: Instance) => Promise<string> | string;
  /** Brings the screen into the state that is meant, once it is open. */
  settle: (page: Page) => Promise<void>;
}

const heading = (name: string | RegExp) => (page: Page) =>
  expect(page.getByRole('heading', { level: 1, name })).toBeVisible();

/** Opens a dialog or menu of a screen. */
const after = (open: (page: Page) => Promise<void>, role: 'dialog' | 'alertdialog' | 'menu') => async (page: Page) => {
  await open(page);
  await expect(page.getByRole(role)).toBeVisible();
};

async function invoiceInEveryState(merchant: Merchant): Promise<void> {
  await merchant.createInvoice({ description: 'Borsa da medico in cuoio con fibbie di ottone', amountEuro: 123456.78 });
  await merchant.createInvoice({ cryptoType: null });
}

async function paid(merchant: Merchant, instance: Instance, amount?: string, becomes = 'settled'): Promise<string> {
  const { uuid } = await merchant.createInvoice({ amountEuro: 80, description: 'Borsa', externalCode: 'BM-412' });
  await merchant.setEmail(uuid);
  await pay(instance, uuid, amount);
  await expect.poll(async () => (await merchant.invoice(uuid)).paymentState).toBe(becomes);
  return uuid;
}

async function operatorWithUnattributedMoney(merchant: Merchant, instance: Instance): Promise<string> {
  await makeOperator(instance, merchant);
  await runScript(instance, 'devnet', 'fund', 'ETH', await freeAddress(instance), '0.01');
  return '/admin/unattributed';
}

async function withEmail(merchant: Merchant, cryptoType: 'ETH' | null): Promise<string> {
  const { uuid } = await merchant.createInvoice({ cryptoType, description: 'Borsa da medico' });
  await merchant.setEmail(uuid);
  return `/pay/${uuid}`;
}

/** Every page of the product in every state that looks different, so that none is forgotten where all are examined. */
export const SCREENS: readonly Screen[] = [
  { name: 'login', path: () => '/login', settle: heading('Accedi') },
  { name: 'registration', path: () => '/register', settle: heading('Registrati') },
  {
    name: 'login with a complaint',
    path: () => '/login',
    settle: async (page) => {
      await page.getByRole('button', { name: 'Accedi' }).click();
      await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
    },
  },
  { name: 'API documentation', path: () => '/docs/api', settle: heading('API') },
  { name: 'page not found', path: () => `/${randomUUID()}`, settle: heading('Pagina non trovata') },
  { name: 'empty dashboard', signedIn: true, path: () => '/dashboard', settle: heading('Dashboard') },
  {
    name: 'full dashboard',
    signedIn: true,
    path: async (merchant) => {
      await merchant.createWallet();
      await invoiceInEveryState(merchant);
      return '/dashboard';
    },
    settle: (page) => expect(page.getByRole('link', { name: /Borsa/ })).toBeVisible(),
  },
  {
    name: 'user menu',
    signedIn: true,
    path: () => '/dashboard',
    settle: after((page) => page.getByRole('button', { name: /^Menu di/ }).click(), 'menu'),
  },
  {
    name: 'wallets',
    signedIn: true,
    path: async (merchant) => {
      await merchant.createWallet();
      return '/wallets';
    },
    settle: (page) => expect(page.getByRole('article')).toBeVisible(),
  },
  {
    name: 'wallet dialog',
    signedIn: true,
    path: async (merchant) => {
      await merchant.createWallet();
      return '/wallets';
    },
    settle: after((page) => page.getByRole('button', { name: 'Ricevi ETH' }).click(), 'dialog'),
  },
  {
    name: 'one wallet',
    signedIn: true,
    path: async (merchant) => `/wallets/${(await merchant.createWallet()).uuid}`,
    settle: heading('Wallet Ethereum'),
  },
  { name: 'empty invoices', signedIn: true, path: () => '/invoices', settle: heading('Fatture') },
  {
    name: 'invoices',
    signedIn: true,
    path: async (merchant) => {
      await invoiceInEveryState(merchant);
      return '/invoices';
    },
    settle: (page) => expect(page.getByText('Borsa da medico').first()).toBeVisible(),
  },
  {
    name: 'new invoice with complaints',
    signedIn: true,
    path: () => '/invoices/create',
    settle: async (page) => {
      await page.getByRole('button', { name: 'Crea Fattura' }).click();
      await expect(page.getByText('Inserisci una descrizione')).toBeVisible();
    },
  },
  {
    name: 'open invoice',
    signedIn: true,
    path: async (merchant) => {
      const { uuid } = await merchant.createInvoice({ description: 'Borsa', externalCode: 'BM-412' });
      await merchant.setEmail(uuid);
      return `/invoices/${uuid}`;
    },
    settle: heading(/^Dettagli Fattura/),
  },
  {
    name: 'paid invoice',
    signedIn: true,
    path: async (merchant, instance) => `/invoices/${await paid(merchant, instance)}`,
    settle: (page) => expect(page.getByText('Ricevuto').first()).toBeVisible(),
  },
  {
    name: 'invoice with too much money',
    signedIn: true,
    path: async (merchant, instance) => `/invoices/${await paid(merchant, instance, '0.25', 'overpaid')}`,
    settle: (page) => expect(page.getByRole('region', { name: 'Da gestire' })).toBeVisible(),
  },
  {
    name: 'question about too much money',
    signedIn: true,
    path: async (merchant, instance) => `/invoices/${await paid(merchant, instance, '0.25', 'overpaid')}`,
    settle: after((page) => page.getByRole('button', { name: 'Tieni la differenza' }).click(), 'alertdialog'),
  },
  {
    name: 'invoice not found',
    signedIn: true,
    path: () => `/invoices/${randomUUID()}`,
    settle: heading('Fattura non trovata'),
  },
  { name: 'no API keys', signedIn: true, path: () => '/api-keys', settle: heading('API Keys') },
  {
    name: 'API keys',
    signedIn: true,
    path: async (merchant) => {
      const { id } = await merchant.createApiKey('https://negozio.example/webhook');
      await merchant.call(`/api/apikeys/${id}`, { method: 'DELETE' });
      await merchant.createApiKey('https://negozio.example/webhook');
      return '/api-keys';
    },
    settle: (page) => expect(page.getByRole('article')).toHaveCount(2),
  },
  {
    name: 'new API key',
    signedIn: true,
    path: () => '/api-keys',
    settle: after((page) => page.getByRole('button', { name: 'Nuova API Key' }).first().click(), 'dialog'),
  },
  {
    name: 'settings',
    signedIn: true,
    path: () => '/settings',
    settle: (page) => expect(page.getByRole('button', { name: /Salva/ })).toBeVisible(),
  },
  {
    name: 'unattributed money, to the operator',
    signedIn: true,
    path: operatorWithUnattributedMoney,
    settle: (page) => expect(page.getByRole('button', { name: /^Attribuisci/ }).first()).toBeVisible(),
  },
  {
    name: 'owner of unattributed money',
    signedIn: true,
    path: operatorWithUnattributedMoney,
    settle: after(
      (page) =>
        page
          .getByRole('button', { name: /^Attribuisci/ })
          .first()
          .click(),
      'dialog',
    ),
  },
  {
    name: 'unattributed money, to a merchant',
    signedIn: true,
    path: () => '/admin/unattributed',
    settle: heading('Pagina non trovata'),
  },
  {
    name: 'payment, email',
    path: async (merchant) => `/pay/${(await merchant.createInvoice({ description: 'Borsa da medico' })).uuid}`,
    settle: heading('Inserisci la tua email'),
  },
  {
    name: 'payment, coin',
    path: (merchant) => withEmail(merchant, null),
    settle: heading('Scegli la criptovaluta'),
  },
  { name: 'payment', path: (merchant) => withEmail(merchant, 'ETH'), settle: heading('Pagamento in ETH') },
  {
    name: 'payment, a part',
    path: async (merchant, instance) => `/pay/${await paid(merchant, instance, '0.01', 'partial')}`,
    settle: heading('Pagamento parziale'),
  },
  {
    name: 'payment received',
    path: async (merchant, instance) => `/pay/${await paid(merchant, instance)}`,
    settle: heading('Pagamento ricevuto!'),
  },
  {
    name: 'payment not found',
    path: () => `/pay/${randomUUID()}`,
    settle: heading('Impossibile caricare la fattura richiesta'),
  },
];
