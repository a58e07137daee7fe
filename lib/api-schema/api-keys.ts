import { z } from 'zod';
import { MAX_DESCRIPTION_LENGTH, MAX_NAME_LENGTH, MAX_PAGE_SIZE, MAX_WEBHOOK_URL_LENGTH } from '@/lib/shared/limits';
import { IsoDate, PageQuery, pageOf } from './common';

const INVALID_URL = 'Inserisci un URL valido, per esempio https://negozio.example/webhook';

export const ApiKeyBody = z.object({
  name: z
    .string({ error: 'Il nome è obbligatorio.' })
    .trim()
    .min(1, 'Il nome è obbligatorio.')
    .max(MAX_NAME_LENGTH, 'Nome troppo lungo.'),
  description: z
    .string()
    .trim()
    .max(MAX_DESCRIPTION_LENGTH, 'Descrizione troppo lunga.')
    .nullish()
    .transform((text) => text || null),
  webhookUrl: z
    .union(
      [
        z.literal(''),
        z.url({ protocol: /^https?$/, error: INVALID_URL }).max(MAX_WEBHOOK_URL_LENGTH, 'URL troppo lungo.'),
      ],
      { error: INVALID_URL },
    )
    .nullish()
    .transform((url) => url || null),
});
export type ApiKeyInput = z.input<typeof ApiKeyBody>;
export type ApiKeyBody = z.infer<typeof ApiKeyBody>;

export const ApiKeyView = z.object({
  id: z.number(),
  uuid: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  webhookUrl: z.string().nullable(),
  /** The first 14 and last 7 characters around dots; whole only in the answer to its creation or reveal. */
  key: z.string(),
  isActive: z.boolean(),
  usageCount: z.number(),
  createdAt: IsoDate,
  lastUsedAt: IsoDate.nullable(),
});
export type ApiKeyView = z.infer<typeof ApiKeyView>;

/** Answer to a creation: the whole key, and the signing secret that is never shown again. */
export const CreatedApiKeyView = ApiKeyView.extend({ secret: z.string() });
export type CreatedApiKeyView = z.infer<typeof CreatedApiKeyView>;

export const ApiKeyList = pageOf(ApiKeyView);

/** A page is as long as can be unless asked otherwise, so that who does not page sees every active key. */
export const ApiKeysQuery = z.object({ ...PageQuery, pageSize: PageQuery.pageSize.default(MAX_PAGE_SIZE) });

export const RevealedApiKeyView = z.object({ key: z.string() });
