import { useState } from 'react';
import { toast } from '@/components/ui/toast';
import { RevealedApiKeyView } from '@/lib/api-schema/api-keys';
import { apiFetch } from '@/lib/client/api';
import { errorMessage } from '@/lib/client/error-message';

const FAILURE = 'Impossibile mostrare la chiave';

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
        fallback: FAILURE,
      });
      setKey(answer.key);
      return answer.key;
    } catch (error) {
      const reason = errorMessage(error, FAILURE);
      toast.error(FAILURE, { description: reason === FAILURE ? undefined : reason });
      return null;
    } finally {
      setIsBusy(false);
    }
  }
  return { key, isBusy, reveal };
}
