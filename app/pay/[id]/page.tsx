import type { Metadata } from 'next';
import { LoadFailure } from '@/components/payment/load-failure';
import { PayPage } from '@/components/payment/pay-page';
import { isFinal, payScreen } from '@/components/payment/pay-screen';
import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import { PAYMENT_POLL_MS } from '@/lib/shared/limits';
import { estimateAmounts, loadInvoice } from './load-invoice';
import { chooseCoinAction, setEmailAction } from './step-actions';

/**
 * Under the site's `no-referrer` a browser posts a plain form with `Origin: null`, which Next refuses; `same-origin`
 * still tells other sites nothing.
 */
export const metadata: Metadata = { title: 'Pagamento', referrer: 'same-origin' };

interface PayProps {
  params: Promise<{ id: string }>;
}

/** An unknown id answers 200 with the failure's text: `notFound()` leaves the text to scripts, which may not run. */
export default async function Pay({ params }: PayProps) {
  const { id } = await params;
  const invoice = await loadInvoice(id);
  if (invoice === 'busy') return <LoadFailure reason="busy" retryHref={`/pay/${id}`} />;
  if (invoice === 'failed') return <LoadFailure reason="unread" retryHref={`/pay/${id}`} />;
  if (invoice === 'missing') return <LoadFailure reason="missing" />;
  return (
    <>
      <ReloadWithoutScripts invoice={invoice} />
      <PayPage
        rendered={invoice}
        estimates={await estimateAmounts(invoice)}
        setEmail={setEmailAction}
        chooseCoin={chooseCoinAction}
      />
    </>
  );
}

/** A browser without scripts asks again as often as the others do; never while the customer fills in a form. */
function ReloadWithoutScripts({ invoice }: { invoice: PublicInvoiceView }) {
  const screen = payScreen(invoice, false);
  if (isFinal(invoice) || screen === 'email' || screen === 'coin') return null;
  return (
    <noscript>
      <meta httpEquiv="refresh" content={String(PAYMENT_POLL_MS / 1000)} />
    </noscript>
  );
}
