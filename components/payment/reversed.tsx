import { Undo2 } from 'lucide-react';
import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import { shortUuid } from '@/lib/shared/format';
import { Outcome } from './outcome';

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
