import { formatCrypto, formatEuro, shortUuid } from '@/lib/shared/format';
import { centsToEuro, toShownAmount } from '@/lib/shared/money';
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
