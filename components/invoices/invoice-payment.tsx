import { PayBox } from '@/components/payment/pay-box';
import { Notice } from '@/components/ui/notice';
import { Panel } from '@/components/ui/panel';
import type { InvoiceView } from '@/lib/api-schema/invoices';
import { chainOf } from '@/lib/shared/coins';
import { isPartlyPaid } from '@/lib/shared/invoice-status';

/** Where the customer pays: QR, amount, address, and what must not go wrong. */
export function InvoicePayment({ invoice }: { invoice: InvoiceView }) {
  const { wallet, cryptoType: coin, amount } = invoice;
  const isPartial = isPartlyPaid(invoice);
  if (!wallet || !coin || amount === null) {
    return (
      <Panel title="Pagamento" padded>
        <p className="max-w-144 text-ink-2">
          Il cliente sceglie la criptovaluta nella pagina di pagamento: importo e indirizzo compaiono qui dopo la
          scelta.
        </p>
      </Panel>
    );
  }
  return (
    <Panel title="Pagamento" padded>
      <div className="grid gap-5">
        <PayBox
          coin={coin}
          address={wallet.address}
          amount={isPartial ? (invoice.amountRemaining ?? amount) : amount}
          amountLabel={isPartial ? 'Importo ancora da inviare' : 'Importo da inviare'}
        />
        {invoice.status === 'pending' ? (
          <Notice tone="warning">
            Il cliente deve inviare <strong className="font-semibold">esattamente</strong> questo importo, in {coin} e
            sulla rete {chainOf(coin).network}.
          </Notice>
        ) : (
          <Notice tone="info">
            {invoice.status === 'expired' ? 'Questa fattura è scaduta' : 'Questa fattura è pagata'}: il cliente non deve
            inviare altri fondi a questo indirizzo.
          </Notice>
        )}
      </div>
    </Panel>
  );
}
