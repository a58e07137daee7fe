import type { InvoiceDetailView, InvoiceView, PaymentView, PublicInvoiceView } from '@/lib/api-schema/invoices';
import { addressCodec } from '@/lib/chains/registry';
import { publicUrl } from '@/lib/config/env';
import type { DepositFact } from '@/lib/deposits/deposit';
import { type Coin, chainOf } from '@/lib/shared/coins';
import { coversDue } from '@/lib/shared/invoice-status';
import { centsToEuro, type Rounding, toShownAmount, ZERO_SHOWN } from '@/lib/shared/money';
import { canForce } from './can-force';
import type { InvoiceDetails } from './detail-repository';
import type { InvoiceRow } from './invoice-row';

/** What is still to pay, in base units: due less what was seen in time; 0 once it is covered. */
function remainingUnits(row: Pick<InvoiceRow, 'amountUnits' | 'amountPaidUnits' | 'paymentState'>): bigint {
  if (row.amountUnits === null || coversDue(row.paymentState)) return 0n;
  return row.amountUnits > row.amountPaidUnits ? row.amountUnits - row.amountPaidUnits : 0n;
}

/** The money of an invoice as every view writes it; before a coin is chosen there is none. */
export function shownMoney(row: InvoiceRow) {
  const { coin, amountUnits } = row;
  if (coin === null || amountUnits === null)
    return { amount: null, amountPaid: ZERO_SHOWN, amountConfirmed: ZERO_SHOWN, amountRemaining: null };
  const shown = (units: bigint, rounding: Rounding) => toShownAmount(units, coin, rounding);
  return {
    amount: shown(amountUnits, 'up'),
    amountPaid: shown(row.amountPaidUnits, 'down'),
    amountConfirmed: shown(row.amountConfirmedUnits, 'down'),
    amountRemaining: shown(remainingUnits(row), 'up'),
  };
}

function walletView({ coin, walletUuid, walletAddress, walletReceivedUnits }: InvoiceRow): InvoiceView['wallet'] {
  if (coin === null || walletUuid === null || walletAddress === null) return null;
  return {
    uuid: walletUuid,
    address: displayAddress(coin, walletAddress),
    balance: toShownAmount(walletReceivedUnits, coin, 'down'),
    cryptoType: coin,
  };
}

function displayAddress(coin: Coin, canonical: string): string {
  return addressCodec(chainOf(coin).family).display(canonical);
}

/** @param now the moment of the answer */
function sharedView(row: InvoiceRow, now: Date) {
  return {
    uuid: row.uuid,
    description: row.description,
    amountEuro: centsToEuro(row.amountEurCents),
    amountEuroCents: row.amountEurCents,
    cryptoType: row.coin,
    ...shownMoney(row),
    amountUnits: row.amountUnits?.toString() ?? null,
    exchangeRate: row.rate,
    status: row.status,
    paymentState: row.paymentState,
    confirmationsRequired: row.confirmationsRequired,
    confirmations: row.confirmations,
    expiryMinutes: row.expiryMinutes,
    expiryDate: row.expiresAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    paidAt: row.paidAt?.toISOString() ?? null,
    serverTime: now.toISOString(),
    wallet: walletView(row),
  };
}

/** The merchant's view of an own invoice. */
export function toInvoiceView(row: InvoiceRow, now: Date): InvoiceView {
  return {
    id: row.id,
    userId: row.userId,
    externalCode: row.externalCode,
    email: row.email,
    payUrl: `${publicUrl()}/pay/${row.uuid}`,
    canForce: canForce(row),
    ...sharedView(row, now),
  };
}

/** The customer's view: nothing of the merchant but the name, the email masked. */
export function toPublicInvoiceView(
  row: InvoiceRow,
  deposits: readonly DepositFact[],
  availableCoins: Coin[],
  now: Date,
): PublicInvoiceView {
  return {
    merchantName: row.merchantName,
    email: row.email === null ? null : maskEmail(row.email),
    availableCoins,
    payments: deposits.map(toPaymentView),
    ...sharedView(row, now),
  };
}

/** The merchant's view of one invoice with everything that is known of it. */
export function toInvoiceDetailView(
  row: InvoiceRow,
  deposits: readonly DepositFact[],
  details: InvoiceDetails,
  now: Date,
): InvoiceDetailView {
  return {
    ...toInvoiceView(row, now),
    payments: deposits.map(toPaymentView),
    statusHistory: details.statusHistory.map(({ status, at }) => ({ status, at: at.toISOString() })),
    wrongNetwork: details.wrongNetwork.map(({ coin, amountUnits, txHash }) => ({
      cryptoType: coin,
      amount: toShownAmount(amountUnits, coin, 'down'),
      hash: txHash,
    })),
    unexplained:
      row.coin === null || details.unexplainedUnits === null
        ? null
        : toShownAmount(details.unexplainedUnits, row.coin, 'down'),
    openIssues: openIssues(row, details),
    resolvedAt: details.resolvedAt?.toISOString() ?? null,
    resolutionNote: details.resolutionNote,
  };
}

function toPaymentView(deposit: DepositFact): PaymentView {
  return {
    hash: deposit.txHash,
    amount: toShownAmount(deposit.amountUnits, deposit.coin, 'down'),
    amountUnits: deposit.amountUnits.toString(),
    confirmations: deposit.confirmations,
    status: deposit.orphaned ? 'orphaned' : deposit.isConfirmed ? 'confirmed' : 'unconfirmed',
    timestamp: (deposit.blockTime ?? deposit.seenAt).toISOString(),
  };
}

/** What still waits for the owner. */
export function openIssues(
  { paymentState }: Pick<InvoiceRow, 'paymentState'>,
  { resolvedAt, wrongNetwork }: InvoiceDetails,
): InvoiceDetailView['openIssues'] {
  if (resolvedAt !== null) return [];
  return [
    ...(paymentState === 'late' || paymentState === 'overpaid' ? [paymentState] : []),
    ...(wrongNetwork.length > 0 ? (['wrongNetwork'] as const) : []),
  ];
}

/** An address that its owner recognises and nobody else can use: "elena@example.com" → "el•••@example.com". */
function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at);
  return `${local.slice(0, Math.min(2, Math.max(1, local.length - 1)))}•••${email.slice(at)}`;
}
