'use client';
import { ExternalLink } from 'lucide-react';
import { ButtonLink } from '@/components/ui/button-link';
import { CryptoAmount } from '@/components/ui/crypto-amount';
import { EurAmount } from '@/components/ui/eur-amount';
import { FactStrip } from '@/components/ui/fact-strip';
import { PageHead } from '@/components/ui/page-head';
import { StatusBadge } from '@/components/ui/status-badge';
import type { InvoiceDetailView, InvoiceView } from '@/lib/api-schema/invoices';
import { formatDateTime, formatEuro, shortUuid } from '@/lib/shared/format';
import { CopyLinkButton } from './copy-link-button';
import { CustomerPanel } from './customer-panel';
import { InvoicePayment } from './invoice-payment';
import { InvoiceTransactions } from './invoice-transactions';
import { IssuesPanel } from './issues-panel';
import { NotePanel } from './note-panel';
import { PendingPanel } from './pending-panel';
import { StatusHistory } from './status-history';

/** Everything about one invoice. */
export function InvoiceDetails({ invoice }: { invoice: InvoiceDetailView }) {
  const created = `creata il ${formatDateTime(invoice.createdAt)}`;
  return (
    <>
      <PageHead
        title={
          <>
            Dettagli Fattura <span className="ml-1.5 font-mono font-medium text-ink-2">{shortUuid(invoice.uuid)}</span>
          </>
        }
        badge={<StatusBadge status={invoice.status} paymentState={invoice.paymentState} size="lg" />}
        back={{ href: '/invoices', label: 'Fatture' }}
        description={
          <span className="wrap-anywhere first-letter:uppercase inline-block">
            {invoice.description === null ? created : `${invoice.description} · ${created}`}
          </span>
        }
        actions={
          <>
            <CopyLinkButton url={invoice.payUrl} />
            <ButtonLink href={`/pay/${invoice.uuid}`} target="_blank" prefetch={false} icon={ExternalLink}>
              Pagina di pagamento
            </ButtonLink>
          </>
        }
      />
      <FactStrip items={facts(invoice)} />
      <IssuesPanel invoice={invoice} />
      <div className="mt-4 grid gap-4 lg:grid-cols-[minmax(0,1fr)_19.5rem]">
        <InvoicePayment invoice={invoice} />
        <div className="grid content-start gap-4">
          <PendingPanel invoice={invoice} />
          <CustomerPanel invoice={invoice} />
          <StatusHistory invoice={invoice} />
        </div>
      </div>
      <InvoiceTransactions invoice={invoice} />
      <NotePanel invoice={invoice} />
    </>
  );
}

function facts(invoice: InvoiceView) {
  const { cryptoType: coin, exchangeRate } = invoice;
  const [date = '', time = ''] = formatDateTime(invoice.expiryDate).split(', ');
  return [
    { term: 'Totale', value: <EurAmount value={invoice.amountEuro} /> },
    {
      term: 'Importo in crypto',
      value: coin ? <CryptoAmount amount={invoice.amount} coin={coin} /> : 'A scelta del cliente',
    },
    {
      term: 'Tasso di cambio',
      value: exchangeRate === null ? 'N/A' : <span className="whitespace-nowrap">{formatEuro(exchangeRate)}</span>,
      detail: coin && `per ${coin}`,
    },
    { term: 'Scadenza', value: time, detail: date },
  ];
}
