'use client';
import { Check, ExternalLink, Link as LinkIcon } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { ButtonLink } from '@/components/ui/button-link';
import { CryptoAmount } from '@/components/ui/crypto-amount';
import { EurAmount } from '@/components/ui/eur-amount';
import { FactStrip } from '@/components/ui/fact-strip';
import { PageHead } from '@/components/ui/page-head';
import { Panel } from '@/components/ui/panel';
import { StatusBadge } from '@/components/ui/status-badge';
import type { InvoiceDetailView, InvoiceView } from '@/lib/api-schema/invoices';
import { useCopy } from '@/lib/client/clipboard';
import { formatDateTime, formatEuro, shortUuid } from '@/lib/shared/format';
import { CustomerPanel } from './customer-panel';
import { InvoicePayment } from './invoice-payment';
import { InvoiceTransactions } from './invoice-transactions';
import { IssuesPanel } from './issues-panel';
import { NotePanel } from './note-panel';
import { PendingPanel } from './pending-panel';

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

/** Copies the address of the payment page. */
function CopyLinkButton({ url }: { url: string }) {
  const { copied, copy } = useCopy();
  return (
    <>
      <Button icon={copied ? Check : LinkIcon} onClick={() => copy(url)}>
        {copied ? 'Copiato' : 'Copia link'}
      </Button>
      <span role="status" className="sr-only">
        {copied ? 'Link copiato' : ''}
      </span>
    </>
  );
}

/** "Cronologia": every status that the invoice had and since when, oldest first. */
function StatusHistory({ invoice }: { invoice: InvoiceDetailView }) {
  return (
    <Panel title="Cronologia">
      <ol className="text-sm">
        {invoice.statusHistory.map(({ status, at }) => (
          <li
            key={`${at} ${status}`}
            className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 border-t border-line px-4 py-2.25 md:px-5"
          >
            <StatusBadge status={status} />
            <time dateTime={at} className="text-ink-2">
              {formatDateTime(at)}
            </time>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
