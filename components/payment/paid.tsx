'use client';
import { Check, Printer } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { CryptoAmount } from '@/components/ui/crypto-amount';
import { DefinitionList } from '@/components/ui/definition-list';
import { Notice } from '@/components/ui/notice';
import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import { useHydrated } from '@/lib/client/use-hydrated';
import { chainOf } from '@/lib/shared/coins';
import { formatDateTime, shortUuid } from '@/lib/shared/format';
import { amountOver } from './amount-over';
import { Outcome, paymentLines } from './outcome';
import { receivedAmount } from './received-amount';

/** The happy end. */
export function Paid({ invoice }: { invoice: PublicInvoiceView }) {
  const hydrated = useHydrated();
  const { cryptoType: coin } = invoice;
  const isForced = invoice.status === 'forcePaid';
  const over = invoice.paymentState === 'overpaid' ? moreThanDue(invoice) : null;
  return (
    <>
      <Outcome icon={Check} tone="success" title="Pagamento ricevuto!">
        {isForced ? 'Il venditore ha segnato la fattura come pagata.' : 'Grazie. Il venditore vede già il pagamento.'}
        {invoice.email !== null && (
          <>
            {' '}
            Ti mandiamo la ricevuta a <span className="font-medium text-ink">{invoice.email}</span>.
          </>
        )}
      </Outcome>
      <DefinitionList className="my-6" items={receipt(invoice)} />
      {over !== null && coin && (
        <Notice tone="warning">
          Hai inviato <CryptoAmount amount={over} coin={coin} className="font-semibold" /> più del dovuto. Per riaverli
          scrivi al venditore con il codice{' '}
          <span className="font-mono whitespace-nowrap">{shortUuid(invoice.uuid)}</span>.
        </Notice>
      )}
      {hydrated && (
        <Button size="lg" icon={Printer} onClick={() => window.print()} className="mt-6 max-md:w-full print:hidden">
          Stampa ricevuta
        </Button>
      )}
    </>
  );
}

function receipt(invoice: PublicInvoiceView) {
  const { status, cryptoType: coin, paidAt } = invoice;
  const lines = [];
  const received = receivedAmount(invoice);
  if (coin && received !== null)
    lines.push({ term: 'Ricevuto', value: <CryptoAmount amount={received} coin={coin} /> });
  if (paidAt)
    lines.push({ term: status === 'forcePaid' ? 'Segnata come pagata' : 'Confermato', value: formatDateTime(paidAt) });
  if (coin) lines.push({ term: 'Rete', value: chainOf(coin).network });
  return [...lines, ...paymentLines(invoice)];
}

/** The wallet's balance counts late money too, until it is swept; then what was paid in time is the best figure. */
function moreThanDue({ amountPaid, amount, wallet }: PublicInvoiceView): string | null {
  return amountOver(wallet?.balance ?? amountPaid, amount) ?? amountOver(amountPaid, amount);
}
