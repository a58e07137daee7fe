import type { z } from 'zod';
import type { CreateInvoiceInput } from '@/lib/api-schema/invoices';
import type { InvoiceStatusChanged } from '@/lib/api-schema/webhooks';
import { COINS } from '@/lib/shared/coins';
import { INVOICE_STATUSES, PAYMENT_STATES } from '@/lib/shared/invoice-status';
import {
  DEFAULT_EXPIRY_MINUTES,
  EXPIRY_MINUTES,
  MAX_DESCRIPTION_LENGTH,
  MAX_EXTERNAL_CODE_LENGTH,
} from '@/lib/shared/limits';
import type { DocumentedField } from './field-table';

type Described<Field extends string> = Record<Field, Omit<DocumentedField, 'name'>>;

function named<Field extends string>(fields: Described<Field>): DocumentedField[] {
  return Object.entries<Omit<DocumentedField, 'name'>>(fields).map(([name, field]) => ({ name, ...field }));
}

/** Body of POST /api/invoices. The type makes a field that the contract gains appear here too. */
export const CREATE_INVOICE_FIELDS = named<keyof CreateInvoiceInput>({
  amountEuro: {
    type: 'numero',
    isRequired: true,
    text: 'Prezzo in euro, da 0,01 a 1.000.000, con al massimo 2 decimali.',
  },
  description: {
    type: `testo, al massimo ${MAX_DESCRIPTION_LENGTH} caratteri`,
    text: 'Il cliente la legge nella pagina di pagamento.',
  },
  cryptoType: {
    type: COINS.join(', '),
    text: 'La criptovaluta. Se manca, la sceglie il cliente al momento del pagamento.',
  },
  externalCode: {
    type: `testo, al massimo ${MAX_EXTERNAL_CODE_LENGTH} caratteri`,
    text: 'Il codice dell’ordine nel tuo negozio: torna in ogni risposta e in ogni notifica.',
  },
  expiryMinutes: {
    type: EXPIRY_MINUTES.join(', '),
    text: `Per quanti minuti la fattura si può pagare; ${DEFAULT_EXPIRY_MINUTES} se manca.`,
  },
});

/** `data` of the webhook. */
export const WEBHOOK_FIELDS = named<keyof z.infer<typeof InvoiceStatusChanged>['data']>({
  uuid: { type: 'testo', text: 'La fattura.' },
  status: { type: INVOICE_STATUSES.join(', '), text: 'Lo stato nuovo.' },
  externalCode: { type: 'testo o null', text: 'Il codice che hai dato alla creazione.' },
  previousStatus: { type: 'come status', text: 'Lo stato di prima.' },
  paymentState: {
    type: PAYMENT_STATES.join(', '),
    text: 'A che punto è il denaro: visto, parziale, in conferma, arrivato, più del dovuto, in ritardo, annullato dalla rete.',
  },
  sequence: {
    type: 'numero',
    text: 'Cresce di uno a ogni evento della stessa fattura: ignora gli eventi con un numero più basso dell’ultimo visto.',
  },
  amountEuro: { type: 'numero', text: 'Il prezzo in euro.' },
  cryptoType: { type: `${COINS.join(', ')} o null`, text: 'La criptovaluta scelta.' },
  amount: { type: 'testo decimale o null', text: 'Il dovuto in criptovaluta.' },
  amountPaid: { type: 'testo decimale', text: 'Quanto è stato visto in tempo.' },
});
