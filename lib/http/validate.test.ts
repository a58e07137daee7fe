import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import * as apiKeys from '@/lib/api-schema/api-keys';
import * as auth from '@/lib/api-schema/auth';
import * as invoices from '@/lib/api-schema/invoices';
import { PaymentRules } from '@/lib/api-schema/payment-rules';
import * as unattributed from '@/lib/api-schema/unattributed';
import * as wallets from '@/lib/api-schema/wallets';
import { MAX_BODY_BYTES, MAX_JSON_VALUES } from '@/lib/shared/limits';
import { parseJson } from './parse-json';
import { parseQuery, validate } from './validate';

/** Shortest of some runs, in milliseconds: what the machine did besides does not count. */
function time(work: () => unknown): number {
  const runs = Array.from({ length: 7 }, () => {
    const startedAt = performance.now();
    try {
      work();
    } catch {
      // Refused is an answer too.
    }
    return performance.now() - startedAt;
  });
  return Math.min(...runs);
}

describe('parseQuery', () => {
  it('keeps what is given twice as a list, without what is empty', () => {
    expect({ ...parseQuery(new URLSearchParams('a=1&b=&a=&c=3&a=2')) }).toEqual({ a: ['1', '2'], c: '3' });
  });

  it('goes through the query once, and looks nothing up in it again for each name', () => {
    let lookUps = 0;
    class Counted extends URLSearchParams {
      override getAll(name: string) {
        lookUps += 1;
        return super.getAll(name);
      }
      override get(name: string) {
        lookUps += 1;
        return super.get(name);
      }
      override has(name: string) {
        lookUps += 1;
        return super.has(name);
      }
    }
    const query = new Counted(Array.from({ length: 2_000 }, (_, n) => [`n${n}`, '1']));
    expect(Object.keys(parseQuery(query))).toHaveLength(2_000);
    expect(lookUps).toBe(0);
  });
});

const schemas: [string, unknown][] = Object.entries({
  ...apiKeys,
  ...auth,
  ...invoices,
  ...unattributed,
  ...wallets,
  PaymentRules,
});
const bodies = schemas.filter(
  (entry): entry is [string, z.ZodObject] => entry[0].endsWith('Body') || entry[0] === 'PaymentRules',
);

describe('validate', () => {
  it.each(bodies)(
    '%s is checked in a time near that of parsing the plainest body, whatever was sent',
    (_name, schema) => {
      const fields = Object.keys(schema.shape);
      const texts = ['a', ' ', '.', 'a.', '@', 'a@', 'a@a.', '-', 'https://', '0', 'ì', '😀', '%', '\t'];
      const fill = (unit: string, share: number) => unit.repeat(Math.floor(share / Buffer.byteLength(unit)));
      const share = (MAX_BODY_BYTES - 1_000) / fields.length;
      const plain = JSON.stringify({ text: fill('a', MAX_BODY_BYTES - 1_000) });
      const parse = () => parseJson(plain);
      parse();
      const base = time(parse);
      const inputs: unknown[] = texts.flatMap((unit) => [
        Object.fromEntries(fields.map((field) => [field, fill(unit, share)])),
        Object.fromEntries(fields.map((field) => [field, `a@${fill(unit, share)}!`])),
      ]);
      const list = Array.from({ length: MAX_JSON_VALUES }, () => ({}));
      inputs.push(Object.fromEntries(fields.map((field) => [field, list])));
      inputs.push(Object.fromEntries(list.map((_, n) => [`unknown${n}`, 1])));
      for (const input of inputs) expect(time(() => validate(schema, input, 'body')) / base).toBeLessThan(10);
    },
  );
});
