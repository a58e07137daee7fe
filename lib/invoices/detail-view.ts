import type { InvoiceDetailView, PaymentView } from '@/lib/api-schema/invoices';
import type { DepositFact } from '@/lib/deposits/types';
import { toShownAmount } from '@/lib/shared/money';
import type { InvoiceDetails } from './detail-repository';
import type { InvoiceRow } from './invoice-row';
import { toInvoiceView, type ViewContext } from './view';

/** A deposit as merchant and customer see it. */
export function toPaymentView(deposit: DepositFact): PaymentView {
  return {
    hash: deposit.txHash,
    amount: toShownAmount(deposit.amountUnits, deposit.coin, 'down'),
    amountUnits: deposit.amountUnits.toString(),
    confirmations: deposit.confirmations,
    status: deposit.orphanedAt ? 'orphaned' : deposit.isConfirmed ? 'confirmed' : 'unconfirmed',
    timestamp: (deposit.blockTime ?? deposit.seenAt).toISOString(),
  };
}

/** The merchant's view of one invoice with everything that is known of it. */
export function toInvoiceDetailView(
  row: InvoiceRow,
  deposits: readonly DepositFact[],
  details: InvoiceDetails,
  context: ViewContext,
): InvoiceDetailView {
  return {
    ...toInvoiceView(row, context),
    payments: deposits.map(toPaymentView),
    statusHistory: details.statusHistory.map(({ status, at }) => ({ status, at: at.toISOString() })),
    wrongNetwork: details.wrongNetwork.map(({ coin, amountUnits, txHash }) => ({
      cryptoType: coin,
      amount: toShownAmount(amountUnits, coin, 'down'),
      hash: txHash,
    })),
    openIssues: openIssues(row, details),
    resolvedAt: details.resolvedAt?.toISOString() ?? null,
    resolutionNote: details.resolutionNote,
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
