import { Contrast } from 'lucide-react';
import { CryptoAmount } from '@/components/ui/crypto-amount';
import { Icon } from '@/components/ui/icon';
import { Meter } from '@/components/ui/meter';
import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import type { Coin } from '@/lib/shared/coins';
import { parseUnits, SHOWN_DECIMALS } from '@/lib/shared/money';

interface PartialBoxProps {
  invoice: PublicInvoiceView;
  coin: Coin;
}

/** Banner of a partial payment: what came in and what is missing. */
export function PartialBox({ invoice, coin }: PartialBoxProps) {
  return (
    <section
      role="status"
      aria-label="Pagamento parziale"
      className="mt-5 grid gap-2.5 rounded-lg bg-warning-soft px-4 py-3.5"
    >
      <p className="flex items-center gap-2 font-semibold">
        <Icon icon={Contrast} size={18} className="text-warning" />
        Pagamento parziale ricevuto
      </p>
      <PartialMeter received={invoice.amountPaid} due={invoice.amount} />
      <dl className="flex flex-wrap justify-between gap-x-4 gap-y-2 text-base">
        <div>
          <dt className="text-sm text-ink-2">Ricevuto</dt>
          <dd className="font-semibold">
            <CryptoAmount amount={invoice.amountPaid} coin={coin} />
          </dd>
        </div>
        <div className="sm:text-right">
          <dt className="text-sm text-ink-2">Rimanente</dt>
          <dd className="font-semibold">
            <CryptoAmount amount={invoice.amountRemaining} coin={coin} />
          </dd>
        </div>
      </dl>
    </section>
  );
}

interface PartialMeterProps {
  /** Decimal texts with 8 decimals. */
  received: string;
  due: string | null;
}

const PARTS = 10_000n;

/** Bar of what came in. The figures stand beside it: the bar may round. */
function PartialMeter({ received, due }: PartialMeterProps) {
  const dueUnits = due === null ? null : parseUnits(due, SHOWN_DECIMALS);
  const receivedUnits = parseUnits(received, SHOWN_DECIMALS);
  if (!dueUnits || receivedUnits === null) return null;
  return (
    <Meter
      label="Parte ricevuta"
      tone="warning"
      max={Number(PARTS)}
      value={Number((receivedUnits * PARTS) / dueUnits)}
    />
  );
}
