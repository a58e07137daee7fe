import { formatCrypto, formatEuro, shortUuid } from '@/lib/shared/format';
import { centsToEuro, toShownAmount } from '@/lib/shared/money';
import type { Misfit } from './misfit';
import type { LockedInvoice } from './settlement-repository';
import type { Decision } from './state';

/**
 * The customer's receipt of an invoice that is paid: what was received, which is not always what was due. An invoice that
 * its owner declared paid may have received nothing in its coin: then the mail speaks of no payment. At most one per invoice,
 * however often its status moves.
 */
export function receiptMail(invoice: LockedInvoice, decision: Pick<Decision, 'status' | 'amountReceivedUnits'>) {
  const { priced } = invoice;
  const name = shortUuid(invoice.uuid);
  const isForced = decision.status === 'forcePaid';
  const lines = [
    isForced ? 'Il venditore ha segnato la tua fattura come pagata.' : 'Abbiamo ricevuto il tuo pagamento.',
    '',
    `Fattura: ${name}`,
    ...(invoice.description ? [`Descrizione: ${invoice.description}`] : []),
    `Importo della fattura: ${formatEuro(centsToEuro(invoice.amountEurCents))}`,
    ...(priced ? cryptoLines(priced, decision.amountReceivedUnits) : []),
  ];
  return {
    dedupeKey: `receipt:${invoice.uuid}`,
    subject: isForced ? `Fattura ${name} segnata come pagata` : `Ricevuta del pagamento ${name}`,
    text: `${lines.join('\n')}\n`,
  };
}

/** What came, and what was due where that is something else; nothing when nothing came. */
function cryptoLines({ coin, dueUnits }: NonNullable<LockedInvoice['priced']>, receivedUnits: bigint): string[] {
  if (receivedUnits === 0n) return [];
  const received = formatCrypto(toShownAmount(receivedUnits, coin, 'down'));
  const due = formatCrypto(toShownAmount(dueUnits, coin, 'up'));
  return [`Ricevuto in ${coin}: ${received}`, ...(received === due ? [] : [`Dovuto in ${coin}: ${due}`])];
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
