import type { ApiKeyView } from '@/lib/api-schema/api-keys';

/** The form's values: text in every field; the contract says what is right. */
export interface ApiKeyFormValues {
  name: string;
  description: string;
  webhookUrl: string;
}

/** Values of a key to be changed, or empty ones for a new key. */
export function apiKeyValues(apiKey: ApiKeyView | null): ApiKeyFormValues {
  return {
    name: apiKey?.name ?? '',
    description: apiKey?.description ?? '',
    webhookUrl: apiKey?.webhookUrl ?? '',
  };
}
