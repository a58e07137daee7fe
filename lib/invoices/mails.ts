import { formatCrypto, formatEuro, shortUuid } from '@/lib/shared/format';
import { centsToEuro, toShownAmount } from '@/lib/shared/money';
import type { Misfit } from './misfit';
import type { LockedInvoice } from './settlement-repository';

/** The customer's receipt of a paid invoice: at most one per invoice, however often its status moves. */
export function receiptMail(invoice: LockedInvoice, recipient: string) {
  const { priced } = invoice;
  const lines = [
    'Abbiamo ricevuto il tuo pagamento.',
    '',
    `Fattura: ${shortUuid(invoice.uuid)}`,
    ...(invoice.description ? [`Descrizione: ${invoice.description}`] : []),
    `Importo: ${formatEuro(centsToEuro(invoice.amountEurCents))}`,
    ...(priced
      ? [`Importo in ${priced.coin}: ${formatCrypto(toShownAmount(priced.dueUnits, priced.coin, 'up'))}`]
      : []),
  ];
  return {
    dedupeKey: `receipt:${invoice.uuid}`,
    recipient,
    subject: `Ricevuta del pagamento ${shortUuid(invoice.uuid)}`,
    text: `${lines.join('\n')}\n`,
  };
}

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

const MISFIT_TEXTS: Record<Misfit, { subject: string; text: string }> = {
  'invoice.paymentLate': {
    subject: 'Pagamento arrivato in ritardo',
    text: 'è arrivato un pagamento dopo la scadenza. La fattura resta scaduta finché non decidi tu: puoi accettarlo o segnarlo come gestito.',
  },
  'invoice.overpaid': {
    subject: 'Pagamento superiore al dovuto',
    text: 'è arrivato più del dovuto. Puoi tenere la differenza o segnarla come gestita, per esempio dopo averla restituita.',
  },
};

/** Tells the owner of money that does not fit. @param sequence of the event that it goes with */
export function misfitMail(invoice: LockedInvoice, misfit: Misfit, sequence: number) {
  const { subject, text } = MISFIT_TEXTS[misfit];
  const name = shortUuid(invoice.uuid);
  return {
    dedupeKey: `misfit:${invoice.uuid}:${sequence}`,
    recipient: invoice.merchantEmail,
    subject: `${subject}: fattura ${name}`,
    text: `Per la fattura ${name} ${text}\n`,
  };
}
