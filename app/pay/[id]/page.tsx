import type { Metadata } from 'next';
import { LoadFailure } from '@/components/payment/load-failure';
import { PayPage } from '@/components/payment/pay-page';
import { ReloadWithoutScripts } from '@/components/payment/reload-without-scripts';
import { chooseCoinAction } from './choose-coin-action';
import { estimateAmounts } from './estimate-amounts';
import { loadInvoice } from './load-invoice';
import { setEmailAction } from './set-email-action';

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
  if (invoice === 'failed') return <LoadFailure retryHref={`/pay/${id}`} />;
  if (invoice === 'missing') return <LoadFailure />;
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
