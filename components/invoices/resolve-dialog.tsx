'use client';
import { useState } from 'react';
import { ConfirmDialog } from '@/components/ui/dialog';
import { Textarea } from '@/components/ui/textarea';
import { toast } from '@/components/ui/toast';
import type { InvoiceDetailView } from '@/lib/api-schema/invoices';
import { errorMessage } from '@/lib/client/api';
import { shortUuid } from '@/lib/shared/format';
import { MAX_DESCRIPTION_LENGTH } from '@/lib/shared/limits';
import { RESOLVE_FAILURE, useResolveInvoice } from './invoice-calls';
import { resolutionTexts } from './resolution-texts';

interface ResolveDialogProps {
  invoice: InvoiceDetailView;
  action: 'accept' | 'mark';
  onClose: () => void;
}

/** Asks before money that does not fit is accepted or marked as dealt with. Mount it to open it. */
export function ResolveDialog({ invoice, action, onClose }: ResolveDialogProps) {
  const resolve = useResolveInvoice(invoice.uuid);
  const [note, setNote] = useState(invoice.resolutionNote ?? '');
  const texts = resolutionTexts(invoice, action);

  const confirm = () =>
    resolve.mutate(
      { action, note: note.trim() || null },
      {
        onSuccess: ({ status }) => {
          const staysExpired = action === 'accept' && status === 'expired';
          const description = staysExpired ? texts.expiredDescription : `Fattura ${shortUuid(invoice.uuid)}`;
          toast.success(texts.done, { description });
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={confirm}
      title={texts.title}
      text={texts.text}
      confirmLabel={texts.confirmLabel}
      tone="primary"
      busy={resolve.isPending}
      error={resolve.error ? errorMessage(resolve.error, RESOLVE_FAILURE) : undefined}
    >
      <Textarea
        label="Nota interna"
        optional
        maxLength={MAX_DESCRIPTION_LENGTH}
        hint="La vedi solo tu."
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
    </ConfirmDialog>
  );
}
