import { TransactionHash } from '@/components/wallets/transaction-hash';
import type { PublicInvoiceView } from '@/lib/api-schema/invoices';

/** One line per transaction that brought money, for the list below an outcome. */
export function paymentLines({ payments, cryptoType: coin }: PublicInvoiceView) {
  if (!coin) return [];
  const kept = payments.filter(({ status }) => status !== 'orphaned');
  return kept.map(({ hash }, index) => ({
    term: kept.length === 1 ? 'Transazione' : `Transazione ${index + 1}`,
    value: <TransactionHash coin={coin} hash={hash} />,
  }));
}
