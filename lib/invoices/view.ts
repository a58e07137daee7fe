import type { InvoiceView, PaymentState, PublicInvoiceView } from '@/lib/api-schema/invoices';
import type { Coin } from '@/lib/shared/coins';
import { centsToEuro, toShownAmount } from '@/lib/shared/money';
import { canForce } from './can-force';
import type { InvoiceRow } from './invoice-row';
import { maskEmail } from './mask-email';

/** What a view needs beside the row. */
export interface ViewContext {
  publicUrl: string;
  now: Date;
  /** Canonical address → the form that people copy. */
  displayAddress: (coin: Coin, canonical: string) => string;
}

/** States in which all money due was seen: nobody is asked for more while it confirms. */
const COVERED: readonly PaymentState[] = ['seen', 'confirming', 'settled', 'overpaid'];

/** What is still to pay, in base units: due less what was seen in time; 0 once it is covered. */
export function remainingUnits(row: Pick<InvoiceRow, 'amountUnits' | 'amountPaidUnits' | 'paymentState'>): bigint {
  if (row.amountUnits === null || COVERED.includes(row.paymentState)) return 0n;
  return row.amountUnits > row.amountPaidUnits ? row.amountUnits - row.amountPaidUnits : 0n;
}

function sharedView(row: InvoiceRow, { now, displayAddress }: ViewContext) {
  const { coin } = row;
  const shown = (units: bigint, rounding: 'up' | 'down') => toShownAmount(units, coin ?? 'ETH', rounding);
  return {
    uuid: row.uuid,
    description: row.description,
    amountEuro: centsToEuro(row.amountEurCents),
    amountEuroCents: row.amountEurCents,
    cryptoType: coin,
    amount: row.amountUnits === null ? null : shown(row.amountUnits, 'up'),
    amountUnits: row.amountUnits?.toString() ?? null,
    exchangeRate: row.rate,
    status: row.status,
    paymentState: row.paymentState,
    amountPaid: shown(row.amountPaidUnits, 'down'),
    amountConfirmed: shown(row.amountConfirmedUnits, 'down'),
    amountRemaining: row.amountUnits === null ? null : shown(remainingUnits(row), 'up'),
    confirmationsRequired: row.confirmationsRequired,
    confirmations: row.confirmations,
    expiryMinutes: row.expiryMinutes,
    expiryDate: row.expiresAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    paidAt: row.paidAt?.toISOString() ?? null,
    serverTime: now.toISOString(),
    wallet:
      coin && row.walletUuid && row.walletAddress
        ? {
            uuid: row.walletUuid,
            address: displayAddress(coin, row.walletAddress),
            balance: shown(row.walletReceivedUnits, 'down'),
            cryptoType: coin,
          }
        : null,
  };
}

/** The merchant's view of an own invoice. */
export function toInvoiceView(row: InvoiceRow, context: ViewContext): InvoiceView {
  return {
    id: row.id,
    userId: row.userId,
    externalCode: row.externalCode,
    email: row.email,
    payUrl: `${context.publicUrl}/pay/${row.uuid}`,
    canForce: canForce(row),
    ...sharedView(row, context),
  };
}

/** The customer's view: nothing of the merchant but the name, the email masked. */
export function toPublicInvoiceView(
  row: InvoiceRow,
  extra: Pick<PublicInvoiceView, 'availableCoins' | 'payments'>,
  context: ViewContext,
): PublicInvoiceView {
  return {
    merchantName: row.merchantName,
    email: row.email === null ? null : maskEmail(row.email),
    ...extra,
    ...sharedView(row, context),
  };
}
