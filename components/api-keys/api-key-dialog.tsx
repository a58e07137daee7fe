'use client';
import { useId } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Input } from '@/components/ui/input';
import { Notice } from '@/components/ui/notice';
import { ApiKeyBody, type ApiKeyInput, type ApiKeyView, type CreatedApiKeyView } from '@/lib/api-schema/api-keys';
import { ApiError } from '@/lib/client/api';
import { formResolver } from '@/lib/client/form-resolver';
import { MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH } from '@/lib/shared/limits';
import { useSaveApiKey } from './api-key-calls';

interface ApiKeyDialogProps {
  /** The key to change; null for a new one. */
  apiKey: ApiKeyView | null;
  onClose: () => void;
  onCreated: (created: CreatedApiKeyView) => void;
}

/** "Crea Nuova API Key" or "Modifica API Key". Mount it to open it. */
export function ApiKeyDialog({ apiKey, onClose, onCreated }: ApiKeyDialogProps) {
  const formId = useId();
  const save = useSaveApiKey(apiKey?.id ?? null);
  const { register, handleSubmit, setError, formState } = useForm<ApiKeyInput, unknown, ApiKeyBody>({
    defaultValues: apiKeyValues(apiKey),
    resolver: formResolver(ApiKeyBody),
  });
  const { errors } = formState;

  const submit = handleSubmit((body) => {
    if (save.isPending) return;
    save.mutate(body, {
      onSuccess: ({ created }) => {
        if (created) onCreated(created);
        onClose();
      },
      onError: (error) => {
        const { field, message } = placeOf(error);
        setError(field, { type: 'server', message });
      },
    });
  });

  return (
    <Dialog
      open
      onClose={onClose}
      busy={save.isPending}
      title={apiKey ? 'Modifica API Key' : 'Crea Nuova API Key'}
      footer={
        <>
          <Button onClick={onClose} disabled={save.isPending}>
            Annulla
          </Button>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            busy={save.isPending}
            busyLabel={apiKey ? 'Salvataggio in corso...' : 'Creazione in corso...'}
          >
            {apiKey ? 'Salva modifiche' : 'Crea API Key'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit} className="grid gap-4.5">
        <Input
          label="Nome *"
          required
          autoComplete="off"
          maxLength={MAX_NAME_LENGTH}
          data-autofocus
          error={errors.name?.message}
          {...register('name')}
        />
        <Input
          label="Descrizione"
          optional
          autoComplete="off"
          maxLength={MAX_DESCRIPTION_LENGTH}
          error={errors.description?.message}
          {...register('description')}
        />
        <Input
          label="Webhook URL"
          optional
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://"
          hint="Invia notifiche quando lo stato delle fatture cambia"
          error={errors.webhookUrl?.message}
          {...register('webhookUrl')}
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

/** Where the server's complaint belongs: under the field that it names, else above the buttons. */
function placeOf(error: unknown): { field: 'name' | 'description' | 'webhookUrl' | 'root'; message: string } {
  if (!(error instanceof ApiError)) return { field: 'root', message: 'Richiesta non riuscita. Riprova.' };
  const named = error.errors?.[0];
  const field = (['name', 'description', 'webhookUrl'] as const).find((name) => named?.pointer === `/${name}`);
  if (field && named) return { field, message: named.detail };
  return { field: error.code === 'webhook_url_refused' ? 'webhookUrl' : 'root', message: error.message };
}

/** Values of a key to be changed, or empty ones for a new key. */
function apiKeyValues(apiKey: ApiKeyView | null): ApiKeyInput {
  return {
    name: apiKey?.name ?? '',
    description: apiKey?.description ?? '',
    webhookUrl: apiKey?.webhookUrl ?? '',
  };
}
