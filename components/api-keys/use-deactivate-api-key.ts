import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/components/ui/toast';
import { ApiKeyView } from '@/lib/api-schema/api-keys';
import { apiFetch } from '@/lib/client/api';
import { errorMessage } from '@/lib/client/error-message';

const FALLBACK = "Impossibile disattivare l'API Key";

/** Deactivates a key for good; says how it went. */
export function useDeactivateApiKey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) =>
      apiFetch(`/apikeys/${id}`, { method: 'DELETE', schema: ApiKeyView, fallback: FALLBACK }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['apikeys'] });
      toast.success('API Key disattivata con successo');
    },
    onError: (error) =>
      toast.error("Errore nella disattivazione dell'API Key", { description: errorMessage(error, FALLBACK) }),
  });
}
