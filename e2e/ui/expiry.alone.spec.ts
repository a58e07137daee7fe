import { expect } from '@playwright/test';
import { MESSAGES } from '@/lib/shared/messages';
import { ChainClock } from '../support/chain-clock';
import { findBarriers } from '../support/find-barriers';
import { statusBadge } from '../support/status-badge';
import { test } from '../support/test';

test('[S2.12-27][S2.12-28][S4.5-03][S4.5-05] an open payment page turns to "Fattura scaduta" by itself, and asks for no money', async ({
  openPage,
  instance,
  merchant,
}) => {
  const clock = new ChainClock(instance);
  const invoice = await merchant.createInvoice({ expiryMinutes: await clock.expiryAhead() });
  await merchant.setEmail(invoice.uuid);
  const page = await openPage({ reducedMotion: 'reduce' });
  await page.goto(`/pay/${invoice.uuid}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Pagamento in ETH' })).toBeAttached();
  await clock.passExpiry(invoice);
  await expect(page.getByRole('heading', { level: 1, name: 'Fattura scaduta' })).toBeVisible();
  await expect(page.getByRole('timer')).toHaveText('Scaduto');
  await expect(page.getByText('Contatta il venditore per riceverne una nuova')).toBeVisible();
  await expect(page.locator('[data-address]')).toHaveCount(0);
  await expect(page.getByRole('img', { name: /QR/ })).toHaveCount(0);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findBarriers(page)).toEqual([]);
  }
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Fattura scaduta' })).toBeVisible();

  const own = await openPage({ as: merchant });
  await own.goto(`/invoices/${invoice.uuid}`);
  await expect(statusBadge(own, MESSAGES.invoiceStatus.expired)).toBeVisible();
});
