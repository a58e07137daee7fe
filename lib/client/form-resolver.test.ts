import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ApiKeyBody } from '@/lib/api-schema/api-keys';
import { formResolver } from './form-resolver';

const OPTIONS = { fields: {}, shouldUseNativeValidation: false };

describe('formResolver', () => {
  it('hands on what the schema makes of the values', async () => {
    const values = { name: ' Negozio ', description: '', webhookUrl: 'https://negozio.example/webhook' };
    expect(await formResolver(ApiKeyBody)(values, undefined, OPTIONS)).toEqual({
      values: { name: 'Negozio', description: null, webhookUrl: 'https://negozio.example/webhook' },
      errors: {},
    });
  });

  it('shows the first message of each field, the schema’s own where it brings one', async () => {
    const values = { name: '', webhookUrl: 'negozio' };
    const { errors } = await formResolver(ApiKeyBody)(values, undefined, OPTIONS);
    expect(errors).toMatchObject({
      name: { message: 'Il nome è obbligatorio.' },
      webhookUrl: { message: 'Inserisci un URL valido, per esempio https://negozio.example/webhook' },
    });
  });

  it('speaks Italian where the schema brings no message', async () => {
    const schema = z.object({ email: z.email(), note: z.string().max(3), count: z.number() });
    const values = { email: 'x', note: 'lungo', count: undefined as unknown as number };
    const { errors } = await formResolver(schema)(values, undefined, OPTIONS);
    expect(errors).toMatchObject({
      email: { message: 'Inserisci un indirizzo email valido.' },
      note: { message: 'Troppo lungo: al massimo 3.' },
      count: { message: 'Campo obbligatorio.' },
    });
  });
});
