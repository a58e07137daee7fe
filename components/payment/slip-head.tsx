import { EurAmount } from '@/components/ui/eur-amount';
import { ShopMark } from '@/components/ui/shop-mark';
import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import { shortUuid } from '@/lib/shared/format';

/** Top of the stub: who asks, for what, how much. */
export function SlipHead({ invoice }: { invoice: PublicInvoiceView }) {
  return (
    <section aria-label="Fattura">
      <ShopMark name={invoice.merchantName} reference={`Fattura ${shortUuid(invoice.uuid)}`} />
      <div className="mt-4 mb-1 md:mt-7 md:mb-0">
        {invoice.description !== null && <p className="text-ink-2 wrap-anywhere">{invoice.description}</p>}
        <p>
          <EurAmount value={invoice.amountEuro} size="3xl" />
        </p>
      </div>
    </section>
  );
}
