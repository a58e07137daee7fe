'use client';
import { ConfirmDialog } from '@/components/ui/dialog';
import type { InvoiceView } from '@/lib/api-schema/invoices';
import { errorMessage } from '@/lib/client/api';
import { formatCrypto, formatEuro, shortUuid } from '@/lib/shared/format';
import { FORCE_FAILURE, useForcePayment } from './invoice-calls';

interface ForcePaymentDialogProps {
  invoice: InvoiceView;
  open: boolean;
  onClose: () => void;
}

/** Asks before an invoice is marked as paid by hand, with what came in and what was due. */
export function ForcePaymentDialog({ invoice, open, onClose }: ForcePaymentDialogProps) {
  const force = useForcePayment();
  const { cryptoType: coin, amount, wallet } = invoice;

  const close = () => {
    force.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      onClose={close}
      onConfirm={() => force.mutate(invoice, { onSuccess: close })}
      title={`Forzare il pagamento di ${shortUuid(invoice.uuid)}?`}
      text={
        <>
          La fattura da {formatEuro(invoice.amountEuro)} diventa «Pagata Forzatamente» e il tuo negozio viene avvisato.{' '}
          {coin && amount && wallet && (
            <>
              Sul suo wallet ci sono {formatCrypto(wallet.balance)} {coin}, dovuti {formatCrypto(amount)} {coin}.{' '}
            </>
          )}
          Questa azione non può essere annullata.
        </>
      }
      confirmLabel="Forza pagamento"
      tone="primary"
      busy={force.isPending}
      error={force.error ? errorMessage(force.error, FORCE_FAILURE) : undefined}
    />
  );
}
