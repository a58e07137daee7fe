import { CryptoAmount } from '@/components/ui/crypto-amount';
import type { InvoiceView } from '@/lib/api-schema/invoices';

/** What is due in crypto, or that the customer has yet to choose the coin. */
export function InvoiceAmount({ invoice }: { invoice: InvoiceView }) {
  const { amount, cryptoType } = invoice;
  return cryptoType ? (
    <CryptoAmount amount={amount} coin={cryptoType} />
  ) : (
    <span className="text-ink-3">A scelta del cliente</span>
  );
}
