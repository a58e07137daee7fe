import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toast, toastFailure } from '@/components/ui/toast';
import {
  type ApiKeyInput,
  ApiKeyList,
  ApiKeyView,
  CreatedApiKeyView,
  RevealedApiKeyView,
} from '@/lib/api-schema/api-keys';
import { apiFetch, errorMessage } from '@/lib/client/api';

/** One page of the merchant's keys, masked; the first has all that are active. */
export function useApiKeys(page: number) {
  return useQuery({
    queryKey: ['apikeys', page],
    queryFn: ({ signal }) =>
      apiFetch('/apikeys', {
        query: { page },
        schema: ApiKeyList,
        fallback: 'Impossibile recuperare le API Keys',
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

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

const DEACTIVATE_FALLBACK = "Impossibile disattivare l'API Key";

/** Deactivates a key for good; says how it went. */
export function useDeactivateApiKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) =>
      apiFetch(`/apikeys/${id}`, { method: 'DELETE', schema: ApiKeyView, fallback: DEACTIVATE_FALLBACK }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['apikeys'] });
      toast.success('API Key disattivata con successo');
    },
    onError: (error) =>
      toast.error("Errore nella disattivazione dell'API Key", {
        description: errorMessage(error, DEACTIVATE_FALLBACK),
      }),
  });
}

const REVEAL_FAILURE = 'Impossibile mostrare la chiave';

/**
 * The whole key, asked for when it is needed: each answer is written into the server's audit.
 * @param known the whole key right after its creation
 */
export function useRevealKey(id: number, known: string | null) {
  const [key, setKey] = useState(known);
  const [isBusy, setIsBusy] = useState(false);

  /** @returns the whole key, or null when it could not be had (said in a notification) */
  async function reveal(): Promise<string | null> {
    if (key !== null) return key;
    setIsBusy(true);
    try {
      const answer = await apiFetch(`/apikeys/${id}/reveal`, {
        method: 'POST',
        schema: RevealedApiKeyView,
        fallback: REVEAL_FAILURE,
      });
      setKey(answer.key);
      return answer.key;
    } catch (error) {
      toastFailure(error, REVEAL_FAILURE);
      return null;
    } finally {
      setIsBusy(false);
    }
  }
  return { key, isBusy, reveal };
}
