import { headers } from 'next/headers';
import type { CoinEstimates } from '@/components/payment/coin-step';
import { UuidParam } from '@/lib/api-schema/common';
import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import { env } from '@/lib/config/env';
import { knowTime, webClock, webDatabase } from '@/lib/db/web-database';
import { clientAddress } from '@/lib/http/client-address';
import { answerUnavailable } from '@/lib/http/current-answer';
import { DOORS, doorUses } from '@/lib/http/doors';
import { consumeLimits } from '@/lib/http/rate-limit';
import { webLogger } from '@/lib/http/request-log';
import { getPublicInvoice } from '@/lib/invoices/get-invoice';
import { getDisplayRate } from '@/lib/rates/get-rate';
import { AppError } from '@/lib/shared/errors';
import { eurCentsToDueUnits, toShownAmount } from '@/lib/shared/money';

/**
 * The public view of an invoice, under the limits of the API's same door; `busy` when they refuse, `missing` for an id that
 * nobody knows, `failed` (logged) when it could not be read.
 */
export async function loadInvoice(id: string): Promise<PublicInvoiceView | 'busy' | 'missing' | 'failed'> {
  if (!UuidParam.safeParse({ id }).success) return 'missing';
  try {
    const uses = doorUses(DOORS.invoiceRead, clientAddress(await headers(), env().TRUSTED_PROXIES), { id });
    await knowTime();
    await consumeLimits({ db: webDatabase() }, uses, new Headers());
    return await getPublicInvoice(webDatabase(), id, webClock);
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return 'missing';
    if (error instanceof AppError && error.code === 'too_many_requests') return 'busy';
    webLogger().error({ err: error }, 'pay page: invoice not loaded');
    answerUnavailable();
    return 'failed';
  }
}

/**
 * What an invoice without a coin would cost in each coin that can be chosen, at the last known prices. None (logged) when
 * they cannot be read: the page is good without them.
 */
export async function estimateAmounts(invoice: PublicInvoiceView): Promise<CoinEstimates> {
  if (invoice.cryptoType !== null || invoice.status !== 'pending') return {};
  const estimates: CoinEstimates = {};
  for (const coin of invoice.availableCoins) {
    const known = await getDisplayRate(webDatabase(), coin, webClock).catch((error: unknown) => {
      webLogger().error({ err: error }, 'pay page: price not loaded');
      return null;
    });
    if (known === null) continue;
    estimates[coin] = toShownAmount(eurCentsToDueUnits(invoice.amountEuroCents, coin, known.rate), coin, 'up');
  }
  return estimates;
}
