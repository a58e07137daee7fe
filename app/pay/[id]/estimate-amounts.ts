import type { CoinEstimates } from '@/components/payment/coin-estimates';
import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import { webDatabase } from '@/lib/db/web-database';
import { getDisplayRate } from '@/lib/rates/get-display-rate';
import { eurCentsToDueUnits, toShownAmount } from '@/lib/shared/money';
import { systemClock } from '@/lib/shared/time';

/** What an invoice without a coin would cost in each coin that can be chosen, at the last known prices. */
export async function estimateAmounts(invoice: PublicInvoiceView): Promise<CoinEstimates> {
  if (invoice.cryptoType !== null || invoice.status !== 'pending') return {};
  const estimates: CoinEstimates = {};
  for (const coin of invoice.availableCoins) {
    const known = await getDisplayRate(webDatabase(), coin, systemClock);
    if (known === null) continue;
    estimates[coin] = toShownAmount(eurCentsToDueUnits(invoice.amountEuroCents, coin, known.rate), coin, 'up');
  }
  return estimates;
}
