import { shortUuid } from '@/lib/shared/format';
import type { LockedInvoice } from './settlement-repository';

/**
 * The owner's alarm when the blocks that paid an invoice are off the chain: goods should not leave before the money is back.
 * @param sequence of the event that it goes with: every reversal is told
 */
export function reversalMail(invoice: LockedInvoice, sequence: number) {
  const name = shortUuid(invoice.uuid);
  const lines = [
    `Il pagamento della fattura ${name} non è più sulla blockchain: la rete ha sostituito i blocchi che lo contenevano.`,
    'La fattura torna in attesa. Se il pagamento ricompare diventa di nuovo pagata, altrimenti scade dopo 24 ore.',
    'Se non hai ancora consegnato, aspetta.',
  ];
  return {
    dedupeKey: `reversed:${invoice.uuid}:${sequence}`,
    recipient: invoice.merchantEmail,
    subject: `Pagamento annullato dalla rete: fattura ${name}`,
    text: `${lines.join('\n')}\n`,
  };
}
