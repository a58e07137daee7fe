import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/components/ui/toast';
import { type ApiKeyInput, ApiKeyView, CreatedApiKeyView } from '@/lib/api-schema/api-keys';
import { apiFetch } from '@/lib/client/api';
import { errorMessage } from '@/lib/client/error-message';

const TEXTS = {
  create: {
    done: 'API Key creata con successo',
    failed: "Errore nella creazione dell'API Key",
    fallback: "Impossibile creare l'API Key",
  },
  update: {
    done: 'API Key aggiornata con successo',
    failed: "Errore nell'aggiornamento dell'API Key",
    fallback: "Impossibile aggiornare l'API Key",
  },
};

interface Saved {
  /** Only after a creation: the whole key and the secret that is never shown again. */
  created: CreatedApiKeyView | null;
}

/** Creates a key, or changes the one with the given id; says how it went. */
export function useSaveApiKey(id: number | null) {
  const client = useQueryClient();
  const texts = id === null ? TEXTS.create : TEXTS.update;
  return useMutation({
    mutationFn: async (body: ApiKeyInput): Promise<Saved> => {
      const { fallback } = texts;
      if (id === null) {
        return { created: await apiFetch('/apikeys', { method: 'POST', body, schema: CreatedApiKeyView, fallback }) };
      }
      await apiFetch(`/apikeys/${id}`, { method: 'PUT', body, schema: ApiKeyView, fallback });
      return { created: null };
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['apikeys'] });
      toast.success(texts.done);
    },
    onError: (error) => toast.error(texts.failed, { description: errorMessage(error, texts.fallback) }),
  });
}
