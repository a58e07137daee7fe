'use client';
import { Ellipsis, RefreshCw, Stamp } from 'lucide-react';
import { useState } from 'react';
import { buttonClass } from '@/components/ui/button';
import { Icon } from '@/components/ui/icon';
import { Menu } from '@/components/ui/menu';
import type { InvoiceView } from '@/lib/api-schema/invoices';
import { shortUuid } from '@/lib/shared/format';
import { ForcePaymentDialog } from './force-payment-dialog';
import { useCheckPayment } from './invoice-calls';

/** Further actions of a row, under the rules of the detail page; nothing where none applies. */
export function InvoiceMenu({ invoice }: { invoice: InvoiceView }) {
  const check = useCheckPayment();
  const [isForcing, setIsForcing] = useState(false);

  const entries = [];
  if (invoice.status === 'pending') {
    entries.push({
      key: 'check',
      label: 'Verifica pagamento',
      icon: RefreshCw,
      disabled: check.isPending,
      onSelect: () => check.mutate(invoice),
    });
  }
  if (invoice.canForce) {
    entries.push({ key: 'force', label: 'Forza pagamento', icon: Stamp, onSelect: () => setIsForcing(true) });
  }
  if (entries.length === 0) return <span aria-hidden="true" className="inline-block w-control-sm" />;
  return (
    <div className="text-left whitespace-normal">
      <Menu
        label={`Altre azioni per ${shortUuid(invoice.uuid)}`}
        trigger={<Icon icon={Ellipsis} />}
        triggerClassName={buttonClass({ variant: 'ghost', size: 'sm', iconOnly: true })}
        groups={[entries]}
      />
      <ForcePaymentDialog invoice={invoice} open={isForcing} onClose={() => setIsForcing(false)} />
    </div>
  );
}
