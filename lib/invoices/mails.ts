import { formatCrypto, formatEuro, shortUuid } from '@/lib/shared/format';
import { centsToEuro, toShownAmount } from '@/lib/shared/money';
import type { EventFacts } from './event-repository';
import { INVOICE_EVENTS } from './events';

/** A mail that goes with an event of an invoice. Who gets it was decided with the event. */
export interface EventMail {
  subject: string;
  text: string;
}

/**
 * The customer's receipt of an invoice that is paid: what was received, which is not always what was due. An invoice that
 * its owner declared paid may have received nothing in its coin: then the mail speaks of no payment. At most one per invoice,
 * however often its status moves.
 */
export function receiptMail(event: EventFacts): EventMail {
  const name = shortUuid(event.uuid);
  const isForced = event.toStatus === 'forcePaid';
  const lines = [
    isForced ? 'Il venditore ha segnato la tua fattura come pagata.' : 'Abbiamo ricevuto il tuo pagamento.',
    '',
    `Fattura: ${name}`,
    ...(event.description ? [`Descrizione: ${event.description}`] : []),
    `Importo della fattura: ${formatEuro(centsToEuro(event.amountEurCents))}`,
    ...cryptoLines(event),
  ];
  return {
    subject: isForced ? `Fattura ${name} segnata come pagata` : `Ricevuta del pagamento ${name}`,
    text: `${lines.join('\n')}\n`,
  };
}

/** What came, and what was due where that is something else; nothing when nothing came. */
function cryptoLines({ coin, amountUnits, amountReceivedUnits }: EventFacts): string[] {
  if (coin === null || amountUnits === null || amountReceivedUnits === 0n) return [];
  const received = formatCrypto(toShownAmount(amountReceivedUnits, coin, 'down'));
  const due = formatCrypto(toShownAmount(amountUnits, coin, 'up'));
  return [`Ricevuto in ${coin}: ${received}`, ...(received === due ? [] : [`Dovuto in ${coin}: ${due}`])];
}

/** The owner's alarm when the blocks that paid an invoice are off the chain: goods should not leave before the money is back. */
export function reversalMail({ uuid }: EventFacts): EventMail {
  const name = shortUuid(uuid);
  const lines = [
    `Il pagamento della fattura ${name} non è più sulla blockchain: la rete ha sostituito i blocchi che lo contenevano.`,
    'La fattura torna in attesa. Se il pagamento ricompare diventa di nuovo pagata, altrimenti scade dopo 24 ore.',
    'Se non hai ancora consegnato, aspetta.',
  ];
  return { subject: `Pagamento annullato dalla rete: fattura ${name}`, text: `${lines.join('\n')}\n` };
}

const LATE: EventMail = {
  subject: 'Pagamento arrivato in ritardo',
  text: 'è arrivato un pagamento dopo la scadenza. La fattura resta scaduta finché non decidi tu: puoi accettarlo o segnarlo come gestito.',
};
const OVERPAID: EventMail = {
  subject: 'Pagamento superiore al dovuto',
  text: 'è arrivato più del dovuto. Puoi tenere la differenza o segnarla come gestita, per esempio dopo averla restituita.',
};

const UNEXPLAINED: EventMail = {
  subject: 'Denaro da verificare',
  text: "sull'indirizzo c'è del denaro che non corrisponde a nessun pagamento visto: succede quando si paga attraverso un contratto. Non conta ancora: chi gestisce questo server può verificarlo e accreditarlo.",
};

/** Tells the owner of money that does not fit. */
export function misfitMail({ uuid, type }: EventFacts): EventMail {
  const { subject, text } = textOf(type);
  const name = shortUuid(uuid);
  return { subject: `${subject}: fattura ${name}`, text: `Per la fattura ${name} ${text}\n` };
}

function textOf(type: string): EventMail {
  if (type === INVOICE_EVENTS.unexplained) return UNEXPLAINED;
  return type === INVOICE_EVENTS.paymentLate ? LATE : OVERPAID;
}
