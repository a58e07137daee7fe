'use client';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import { Button } from '@/components/ui/button';
import { CryptoAmount } from '@/components/ui/crypto-amount';
import { DefinitionList } from '@/components/ui/definition-list';
import { Dialog } from '@/components/ui/dialog';
import { Input } from '@/components/ui/input';
import { Notice } from '@/components/ui/notice';
import { Textarea } from '@/components/ui/textarea';
import { AttachDepositBody, type UnattributedView } from '@/lib/api-schema/unattributed';
import { ApiError, errorMessage } from '@/lib/client/api';
import { formResolver } from '@/lib/client/form-resolver';
import { chainOf } from '@/lib/shared/coins';
import { formatDateTime } from '@/lib/shared/format';
import { MAX_DESCRIPTION_LENGTH } from '@/lib/shared/limits';
import { ProbableOwner } from './probable-owner';
import { ATTACH_FAILURE, useAttachDeposit } from './unattributed-calls';

interface AttachDialogProps {
  deposit: UnattributedView;
  onClose: () => void;
}

/** Asks to whom a deposit belongs. Mount it to open it. */
export function AttachDialog({ deposit, onClose }: AttachDialogProps) {
  const formId = useId();
  const attach = useAttachDeposit(deposit.id);
  const { cryptoType: coin } = deposit;
  const { register, handleSubmit, setError, formState } = useForm<
    z.input<typeof AttachDepositBody>,
    unknown,
    z.infer<typeof AttachDepositBody>
  >({
    defaultValues: { target: '', note: '' },
    resolver: formResolver(AttachDepositBody),
  });
  const { errors } = formState;

  const submit = handleSubmit((body) => {
    if (attach.isPending) return;
    attach.mutate(
      { target: body.target, note: body.note || null },
      {
        onSuccess: onClose,
        onError: (error) => {
          const { field, message } = placeOf(error);
          setError(field, { type: 'server', message });
        },
      },
    );
  });
  return (
    <Dialog
      open
      onClose={onClose}
      busy={attach.isPending}
      title="Attribuisci i fondi"
      footer={
        <>
          <Button onClick={onClose} disabled={attach.isPending}>
            Annulla
          </Button>
          <Button type="submit" form={formId} variant="primary" busy={attach.isPending}>
            Attribuisci
          </Button>
        </>
      }
    >
      <DefinitionList
        items={[
          { term: 'Importo', value: <CryptoAmount amount={deposit.amount} coin={coin} /> },
          { term: 'Rete', value: chainOf(coin).network },
          { term: 'Arrivati', value: formatDateTime(deposit.timestamp) },
          { term: 'Probabile proprietario', value: <ProbableOwner deposit={deposit} /> },
        ]}
      />
      <form id={formId} noValidate onSubmit={submit} className="grid gap-4.5">
        <Input
          label="Wallet o fattura"
          mono
          autoComplete="off"
          spellCheck={false}
          maxLength={50}
          data-autofocus
          hint={`Numero o uuid di un wallet ${coin}, oppure uuid di una fattura in ${coin}.`}
          error={errors.target?.message}
          {...register('target')}
        />
        <Textarea
          label="Nota"
          optional
          rows={2}
          maxLength={MAX_DESCRIPTION_LENGTH}
          hint="Resta nel registro con il tuo nome. L’attribuzione non può essere annullata."
          error={errors.note?.message}
          {...register('note')}
        />
        {errors.root && (
          <Notice tone="danger" role="alert">
            {errors.root.message}
          </Notice>
        )}
      </form>
    </Dialog>
  );
}

/** Where the server's complaint belongs: under the field when nothing has that name, else above the buttons. */
function placeOf(error: unknown): { field: 'target' | 'root'; message: string } {
  return error instanceof ApiError && error.code === 'not_found'
    ? { field: 'target', message: 'Nessun wallet e nessuna fattura con questo codice.' }
    : { field: 'root', message: errorMessage(error, ATTACH_FAILURE) };
}
