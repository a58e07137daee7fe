import type { Sql } from '@/lib/db/database';
import { enqueueMail } from '@/lib/mail/enqueue-mail';
import { shortUuid } from '@/lib/shared/format';
import type { Misfit } from './misfit';
import { insertEvent, type LockedInvoice } from './settlement-repository';
import type { Decision } from './state';

const TEXTS: Record<Misfit, { subject: string; text: string }> = {
  'invoice.paymentLate': {
    subject: 'Pagamento arrivato in ritardo',
    text: 'è arrivato un pagamento dopo la scadenza. La fattura resta scaduta finché non decidi tu: puoi accettarlo o segnarlo come gestito.',
  },
  'invoice.overpaid': {
    subject: 'Pagamento superiore al dovuto',
    text: 'è arrivato più del dovuto. Puoi tenere la differenza o segnarla come gestita, per esempio dopo averla restituita.',
  },
};

/** Stores the event of money that does not fit and tells the owner, in the transaction that found it. */
export async function announceMisfit(
  sql: Sql,
  invoice: LockedInvoice,
  decision: Decision,
  misfit: Misfit,
  now: Date,
): Promise<void> {
  const event = await insertEvent(sql, {
    invoiceId: invoice.id,
    type: misfit,
    fromStatus: decision.status,
    toStatus: decision.status,
    paymentState: decision.paymentState,
    createdAt: now,
  });
  const { subject, text } = TEXTS[misfit];
  await enqueueMail(sql, {
    dedupeKey: `misfit:${invoice.uuid}:${event.sequence}`,
    recipient: invoice.merchantEmail,
    subject: `${subject}: fattura ${shortUuid(invoice.uuid)}`,
    text: `Per la fattura ${shortUuid(invoice.uuid)} ${text}\n`,
  });
}
