import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import { PAYMENT_POLL_MS } from '@/lib/shared/limits';
import { isFinal, payScreen } from './pay-screen';

/** A browser without scripts asks again as often as the others do; never while the customer fills in a form. */
export function ReloadWithoutScripts({ invoice }: { invoice: PublicInvoiceView }) {
  const screen = payScreen(invoice, false);
  if (isFinal(invoice) || screen === 'email' || screen === 'coin') return null;
  return (
    <noscript>
      <meta httpEquiv="refresh" content={String(PAYMENT_POLL_MS / 1000)} />
    </noscript>
  );
}
