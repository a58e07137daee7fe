'use client';
import { Clock, RefreshCw, Stamp, TimerOff } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import type { InvoiceView } from '@/lib/api-schema/invoices';
import { formatCrypto } from '@/lib/shared/format';
import { coversDue } from '@/lib/shared/invoice-status';
import { ForcePaymentDialog } from './force-payment-dialog';
import { useCheckPayment } from './invoice-calls';

/** "Pagamento in attesa", with the check; for an expired invoice that received money, only the way to force it. */
export function PendingPanel({ invoice }: { invoice: InvoiceView }) {
  const check = useCheckPayment();
  const [isForcing, setIsForcing] = useState(false);
  const isPending = invoice.status === 'pending';
  if (!isPending && !invoice.canForce) return null;
  return (
    <section aria-labelledby="pending-title" className="grid gap-3 rounded-lg border border-line bg-surface p-4 md:p-5">
      <div className="flex items-center gap-2">
        <Icon icon={isPending ? Clock : TimerOff} size={18} className={isPending ? 'text-info' : 'text-ink-2'} />
        <h2 id="pending-title" className="text-[0.9375rem]/5">
          {isPending ? 'Pagamento in attesa' : 'Fondi ricevuti, fattura scaduta'}
        </h2>
      </div>
      <p className="text-sm text-ink-2">{explain(invoice)}</p>
      {isPending && (
        <Button
          variant="primary"
          block
          icon={RefreshCw}
          busy={check.isPending}
          busyLabel="Verifica in corso..."
          onClick={() => check.mutate(invoice)}
        >
          Verifica pagamento
        </Button>
      )}
      {invoice.canForce && (
        <Button block icon={Stamp} onClick={() => setIsForcing(true)}>
          Forza pagamento
        </Button>
      )}
      <ForcePaymentDialog invoice={invoice} open={isForcing} onClose={() => setIsForcing(false)} />
    </section>
  );
}

function explain(invoice: InvoiceView): string {
  const { cryptoType: coin, amountRemaining, wallet } = invoice;
  if (invoice.status === 'expired') {
    const received = wallet && `Sul wallet ci sono ${formatCrypto(wallet.balance)} ${wallet.cryptoType}. `;
    return `${received ?? ''}Se per te va bene così, segna la fattura come pagata.`;
  }
  if (coversDue(invoice.paymentState)) {
    return 'Importo visto in rete, manca qualche conferma. Lo stato si aggiorna da solo.';
  }
  switch (invoice.paymentState) {
    case 'partial':
      return coin && amountRemaining !== null
        ? `Arrivata una parte: mancano ${formatCrypto(amountRemaining)} ${coin}. Lo stato si aggiorna da solo.`
        : 'Arrivata una parte. Lo stato si aggiorna da solo.';
    case 'reversed':
      return 'La rete ha annullato il blocco con il pagamento: di solito torna da solo. Non consegnare ancora la merce.';
    case 'unpaid':
    case 'late':
      return coin
        ? 'Nessun pagamento visto finora. Lo stato si aggiorna da solo.'
        : 'Il cliente non ha ancora scelto la criptovaluta.';
  }
}
