'use client';
import { type FormEvent, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Textarea } from '@/components/ui/textarea';
import { toast, toastFailure } from '@/components/ui/toast';
import type { InvoiceDetailView } from '@/lib/api-schema/invoices';
import { formatDateTime } from '@/lib/shared/format';
import { MAX_DESCRIPTION_LENGTH } from '@/lib/shared/limits';
import { useResolveInvoice } from './invoice-calls';

/** "Nota interna": what the merchant wants to remember of this invoice. */
export function NotePanel({ invoice }: { invoice: InvoiceDetailView }) {
  const { resolutionNote, resolvedAt } = invoice;
  const save = useResolveInvoice(invoice.uuid);
  /** Null while what is shown is what is stored. */
  const [draft, setDraft] = useState<string | null>(null);
  const text = draft ?? resolutionNote ?? '';

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    save.mutate(
      { action: 'note', note: text.trim() || null },
      {
        onSuccess: () => {
          setDraft(null);
          toast.success('Nota salvata');
        },
        onError: (error) => toastFailure(error, 'Impossibile salvare la nota'),
      },
    );
  };
  return (
    <form onSubmit={submit} className="mt-4 grid gap-3 rounded-lg border border-line bg-surface p-4 md:p-5">
      <Textarea
        label="Nota interna"
        maxLength={MAX_DESCRIPTION_LENGTH}
        hint={resolvedAt === null ? 'La vedi solo tu.' : `Segnata come gestita il ${formatDateTime(resolvedAt)}.`}
        value={text}
        onChange={(event) => setDraft(event.target.value)}
      />
      <Button type="submit" size="sm" busy={save.isPending} className="justify-self-start">
        Salva nota
      </Button>
    </form>
  );
}
