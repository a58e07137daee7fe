import { z } from 'zod';
import { CoinSchema } from '@/lib/api-schema/common';
import type { CreateInvoiceInput } from '@/lib/api-schema/invoices';
import {
  DEFAULT_EXPIRY_MINUTES,
  EXPIRY_MINUTES,
  MAX_DESCRIPTION_LENGTH,
  MAX_EXTERNAL_CODE_LENGTH,
} from '@/lib/shared/limits';
import { MESSAGES } from '@/lib/shared/messages';
import { centsToEuro } from '@/lib/shared/money';
import { parseEuro } from '@/lib/shared/parse-euro';

const AmountText = z.string().transform((text, context) => {
  const parsed = parseEuro(text);
  if (parsed.cents !== null) return parsed.cents;
  const message =
    parsed.problem === 'ambiguous'
      ? `Importo ambiguo: scrivi ${parsed.digits} oppure ${parsed.digits.slice(0, -3)},${parsed.digits.slice(-3, -1)}`
      : MESSAGES.validation.amountEuro;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/** The form "Nuova Fattura": everything is text there, as inputs and selects give it. */
export const InvoiceForm = z
  .object({
    description: z
      .string()
      .trim()
      .min(1, MESSAGES.validation.description)
      .max(MAX_DESCRIPTION_LENGTH, 'Descrizione troppo lunga.'),
    amount: AmountText,
    /** Empty when the customer chooses. */
    cryptoType: z.union([z.literal(''), CoinSchema]),
    externalCode: z.string().trim().max(MAX_EXTERNAL_CODE_LENGTH, 'Codice esterno troppo lungo.'),
    expiryMinutes: z.enum(EXPIRY_MINUTES.map(String)),
  })
  .transform(
    (form): CreateInvoiceInput => ({
      description: form.description,
      amountEuro: centsToEuro(form.amount),
      cryptoType: form.cryptoType || undefined,
      externalCode: form.externalCode || undefined,
      expiryMinutes: EXPIRY_MINUTES.find((minutes) => String(minutes) === form.expiryMinutes),
    }),
  );
export type InvoiceFormValues = z.input<typeof InvoiceForm>;

export const EMPTY_INVOICE: InvoiceFormValues = {
  description: '',
  amount: '',
  cryptoType: '',
  externalCode: '',
  expiryMinutes: String(DEFAULT_EXPIRY_MINUTES),
};

/** "5 minuti", "1 ora", "24 ore". */
export function expiryLabel(minutes: number): string {
  if (minutes < 60) return `${minutes} minuti`;
  return minutes === 60 ? '1 ora' : `${minutes / 60} ore`;
}
