import { TimerOff } from 'lucide-react';
import { CryptoAmount } from '@/components/ui/crypto-amount';
import { Notice } from '@/components/ui/notice';
import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import { shortUuid } from '@/lib/shared/format';
import { parseUnits, SHOWN_DECIMALS } from '@/lib/shared/money';
import { Outcome } from './outcome';

/** The other end: the time is over. */
export function Expired({ invoice }: { invoice: PublicInvoiceView }) {
  return (
    <>
      <p role="timer" className="mb-6 text-base font-semibold text-ink-2">
        Scaduto
      </p>
      <Outcome icon={TimerOff} tone="over" title="Fattura scaduta">
        Il tempo per pagare è finito e il cambio non è più garantito. Contatta il venditore per riceverne una nuova.
      </Outcome>
      {invoice.wallet && (
        <Notice tone="warning" className="mt-5 text-base">
          <Advice invoice={invoice} />
        </Notice>
      )}
    </>
  );
}

function Advice({ invoice }: { invoice: PublicInvoiceView }) {
  const { cryptoType: coin } = invoice;
  const isLate = invoice.paymentState === 'late';
  // Late money does not count as paid: the wallet knows how much came.
  const sent = isLate ? (invoice.wallet?.balance ?? invoice.amountPaid) : invoice.amountPaid;
  const code = <span className="font-mono whitespace-nowrap">{shortUuid(invoice.uuid)}</span>;
  if (coin && hasUnits(sent)) {
    return (
      <>
        Hai inviato <CryptoAmount amount={sent} coin={coin} className="font-semibold" />
        {isLate ? ' dopo la scadenza' : ', meno del dovuto'}: il venditore lo vede. Non inviare altri fondi e scrivigli
        con il codice {code}.
      </>
    );
  }
  return (
    <>
      <strong className="font-semibold">Non inviare altri fondi</strong> all’indirizzo di questa fattura. Se hai già
      pagato, il venditore vede comunque il tuo pagamento: scrivigli con il codice {code}.
    </>
  );
}

function hasUnits(amount: string): boolean {
  return (parseUnits(amount, SHOWN_DECIMALS) ?? 0n) > 0n;
}
