import { z } from 'zod';
import { COINS } from '@/lib/shared/coins';
import { INVOICE_STATUSES, PAYMENT_STATES } from '@/lib/shared/invoice-status';
import {
  DEFAULT_EXPIRY_MINUTES,
  EXPIRY_MINUTES,
  MAX_DESCRIPTION_LENGTH,
  MAX_EMAIL_LENGTH,
  MAX_EXTERNAL_CODE_LENGTH,
  MAX_LISTED,
} from '@/lib/shared/limits';
import { MESSAGES } from '@/lib/shared/messages';
import { euroToCents } from '@/lib/shared/money';
import { CoinSchema, DecimalText, IsoDate, PageQuery, pageOf, UnitsText } from './common';

/** An optional text: absent, null and blank mean the same. */
const optionalText = (max: number, tooLong: string) =>
  z
    .string()
    .trim()
    .max(max, tooLong)
    .nullish()
    .transform((text) => text || null);

/** An amount in EUR as a JSON number with at most 2 decimals; inside, the integer cents that it says. */
const Euro = z.number({ error: MESSAGES.validation.amountEuro }).transform((euro, context) => {
  const cents = euroToCents(euro);
  if (cents !== null) return { cents };
  context.addIssue({ code: 'custom', message: MESSAGES.validation.amountEuro });
  return z.NEVER;
});

export const CreateInvoiceBody = z.object({
  description: optionalText(MAX_DESCRIPTION_LENGTH, 'Descrizione troppo lunga.'),
  amountEuro: Euro,
  cryptoType: CoinSchema.nullish().transform((coin) => coin ?? null),
  externalCode: optionalText(MAX_EXTERNAL_CODE_LENGTH, 'Codice esterno troppo lungo.'),
  expiryMinutes: z
    .union(
      EXPIRY_MINUTES.map((minutes) => z.literal(minutes)),
      { error: 'Tempo di validità non ammesso.' },
    )
    .default(DEFAULT_EXPIRY_MINUTES),
});
/** What a caller sends. */
export type CreateInvoiceInput = z.input<typeof CreateInvoiceBody>;
export type CreateInvoiceBody = z.infer<typeof CreateInvoiceBody>;

export const ListInvoicesQuery = z.object({
  ...PageQuery,
  orderBy: z.enum(['id', 'createdAt', 'amountEuro', 'status', 'expiryDate']).default('id'),
  orderType: z.enum(['ASC', 'DESC']).default('DESC'),
  searchKeyword: z.string().trim().max(200).optional(),
  status: z.enum(INVOICE_STATUSES).optional(),
  cryptoType: CoinSchema.optional(),
});
export type ListInvoicesQuery = z.infer<typeof ListInvoicesQuery>;

const InvoiceWalletView = z.object({
  uuid: z.string(),
  address: z.string(),
  /** What the wallet received and still holds, confirmed or not. */
  balance: DecimalText,
  cryptoType: CoinSchema,
});

/** A payment that was seen on the invoice's wallet. */
export const PaymentView = z.object({
  hash: z.string(),
  amount: DecimalText,
  amountUnits: UnitsText,
  confirmations: z.number(),
  status: z.enum(['unconfirmed', 'confirmed', 'orphaned']),
  /** Time of its block, or of our first sight while it is in none. */
  timestamp: IsoDate,
});
export type PaymentView = z.infer<typeof PaymentView>;

/** Oldest first; of very many the largest, so that dust hides no payment. */
const Payments = z.array(PaymentView).max(MAX_LISTED);

/** What merchant and customer both see of an invoice. */
const sharedFields = {
  uuid: z.string(),
  description: z.string().nullable(),
  amountEuro: z.number(),
  amountEuroCents: z.number(),
  cryptoType: CoinSchema.nullable(),
  /** Due, whole coins, 8 decimals; null until the coin is chosen. */
  amount: DecimalText.nullable(),
  amountUnits: UnitsText.nullable(),
  /** EUR per coin at which it was priced, exact; screens show 2 decimals. */
  exchangeRate: DecimalText.nullable(),
  status: z.enum(INVOICE_STATUSES),
  paymentState: z.enum(PAYMENT_STATES),
  amountPaid: DecimalText,
  amountConfirmed: DecimalText,
  /** Still to pay: due less what was seen in time, rounded up; null until the coin is chosen. */
  amountRemaining: DecimalText.nullable(),
  confirmationsRequired: z.number().nullable(),
  /** Of the payment that settles it: the fewest among those counted; 0 when nothing was seen. */
  confirmations: z.number(),
  expiryMinutes: z.number(),
  expiryDate: IsoDate,
  createdAt: IsoDate,
  paidAt: IsoDate.nullable(),
  /** Server's time of this answer: countdowns subtract the difference, so that a wrong clock does not matter. */
  serverTime: IsoDate,
  wallet: InvoiceWalletView.nullable(),
};

export const InvoiceView = z.object({
  id: z.number(),
  userId: z.number(),
  externalCode: z.string().nullable(),
  email: z.string().nullable(),
  payUrl: z.string(),
  /** True when the owner may force it paid now. */
  canForce: z.boolean(),
  ...sharedFields,
});
export type InvoiceView = z.infer<typeof InvoiceView>;

/** The customer's view: no ids, no external code, the email masked, the shop's name. */
export const PublicInvoiceView = z.object({
  merchantName: z.string(),
  /** Masked ("el•••@example.com"), or null when none was given yet. */
  email: z.string().nullable(),
  /** Coins that can be chosen now. */
  availableCoins: z.array(CoinSchema).max(COINS.length),
  payments: Payments,
  ...sharedFields,
});
export type PublicInvoiceView = z.infer<typeof PublicInvoiceView>;

const OpenIssue = z.enum(['late', 'overpaid', 'wrongNetwork']);

/** One invoice with everything that is known of it. */
export const InvoiceDetailView = InvoiceView.extend({
  payments: Payments,
  /** The newest changes. */
  statusHistory: z.array(z.object({ status: z.enum(INVOICE_STATUSES), at: IsoDate })).max(MAX_LISTED),
  /** Money on the same address on another network: not a payment of this invoice, but recoverable. */
  wrongNetwork: z.array(z.object({ cryptoType: CoinSchema, amount: DecimalText, hash: z.string() })).max(MAX_LISTED),
  /** Money on the address that no payment explains, in the invoice's coin: whoever runs the server can bring it in. */
  unexplained: DecimalText.nullable(),
  /** Money that does not fit and waits for the owner: late, too much, or on another network. */
  openIssues: z.array(OpenIssue).max(OpenIssue.options.length),
  resolvedAt: IsoDate.nullable(),
  resolutionNote: z.string().nullable(),
});
export type InvoiceDetailView = z.infer<typeof InvoiceDetailView>;

export const ResolveInvoiceBody = z.object({
  /** accept: late money counts, or a surplus is kept; mark: dealt with elsewhere; note: only the note changes. */
  action: z.enum(['accept', 'mark', 'note'], { error: 'Azione sconosciuta.' }),
  note: optionalText(MAX_DESCRIPTION_LENGTH, 'Nota troppo lunga.'),
});
export type ResolveInvoiceBody = z.infer<typeof ResolveInvoiceBody>;

export const InvoiceList = pageOf(InvoiceView);
export type InvoiceList = z.infer<typeof InvoiceList>;

export const SetEmailBody = z.object({
  email: z
    .string({ error: MESSAGES.validation.publicEmail })
    .trim()
    .max(MAX_EMAIL_LENGTH, MESSAGES.validation.publicEmail)
    .refine((text) => z.email().safeParse(text).success, MESSAGES.validation.publicEmail),
});

export const ChooseCoinBody = z.object({ cryptoType: CoinSchema });

const paymentStatus = {
  isPaid: z.boolean(),
  isExpired: z.boolean(),
  status: z.enum(INVOICE_STATUSES),
  amountPaid: DecimalText,
  amountRemaining: DecimalText.nullable(),
};

export const PaymentStatusView = z.object({ ...paymentStatus, updatedInvoice: InvoiceDetailView });
export type PaymentStatusView = z.infer<typeof PaymentStatusView>;
export const PublicPaymentStatusView = z.object({ ...paymentStatus, updatedInvoice: PublicInvoiceView });
export type PublicPaymentStatusView = z.infer<typeof PublicPaymentStatusView>;
