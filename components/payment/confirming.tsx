import { Clock, Undo2 } from 'lucide-react';
import { CryptoAmount } from '@/components/ui/crypto-amount';
import { DefinitionList } from '@/components/ui/definition-list';
import { Meter } from '@/components/ui/meter';
import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import { chainOf } from '@/lib/shared/coins';
import { shortUuid } from '@/lib/shared/format';
import { Outcome, paymentLines, ReceiptNote } from './outcome';

/** All the money was seen and waits for its confirmations: nothing to pay any more, so QR and amount are gone. */
export function Confirming({ invoice }: { invoice: PublicInvoiceView }) {
  const { cryptoType: coin } = invoice;
  const required = Math.max(1, invoice.confirmationsRequired ?? 1);
  const confirmed = Math.min(invoice.confirmations, required);
  const missing = Math.max(1, required - confirmed);
  return (
    <div className="mt-8">
      <Outcome icon={Clock} tone="info" title="Pagamento rilevato, in attesa di conferme">
        L’importo è arrivato per intero. Ora la rete lo conferma: non serve fare altro, puoi anche chiudere la pagina.
      </Outcome>
      <div className="mt-6 grid gap-2">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 text-base">
          <span className="font-semibold">
            {missing === 1 ? 'In attesa di 1 conferma' : `In attesa di ${missing} conferme`}
          </span>
          <span className="text-sm text-ink-2">
            {confirmed} di {required}
          </span>
        </p>
        <Meter label="Conferme della rete" tone="info" value={confirmed} max={required} />
      </div>
      {coin && (
        <DefinitionList
          className="mt-6"
          items={[
            { term: 'Ricevuto', value: <CryptoAmount amount={invoice.amountPaid} coin={coin} /> },
            { term: 'Rete', value: chainOf(coin).network },
            ...paymentLines(invoice),
          ]}
        />
      )}
      <ReceiptNote email={invoice.email} />
    </div>
  );
}

/** The network took back the blocks that held the payment. It usually comes again by itself. */
export function Reversed({ invoice }: { invoice: PublicInvoiceView }) {
  return (
    <div className="mt-8">
      <Outcome icon={Undo2} tone="warning" title="Pagamento da riconfermare">
        La rete ha annullato il blocco che conteneva il tuo pagamento. Di solito la transazione viene inclusa di nuovo
        da sola e questa pagina si aggiorna: non inviare altri fondi. Se non succede, contatta il venditore con il
        codice <span className="font-mono whitespace-nowrap">{shortUuid(invoice.uuid)}</span>.
      </Outcome>
    </div>
  );
}
