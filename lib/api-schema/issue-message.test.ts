import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ApiKeyBody } from './api-keys';
import { LoginBody, RegisterBody } from './auth';
import { ChooseCoinBody, CreateInvoiceBody, ListInvoicesQuery, SetEmailBody } from './invoices';
import { issueMessage } from './issue-message';
import { CreatePrimaryBody, WalletsQuery } from './wallets';

const INPUTS: Record<string, z.ZodObject> = {
  ApiKeyBody,
  LoginBody,
  RegisterBody,
  ChooseCoinBody,
  CreateInvoiceBody,
  ListInvoicesQuery,
  SetEmailBody,
  CreatePrimaryBody,
  WalletsQuery,
};
const JUNK = [
  undefined,
  null,
  '',
  ' ',
  'x',
  '-1',
  'x'.repeat(5000),
  0,
  -1,
  1.234,
  1e30,
  Number.NaN,
  true,
  [],
  {},
  Symbol('1e3'),
];
const ENGLISH = /invalid|expected|must|required|string|number|too (small|big)|received/i;

describe('texts of refused fields', () => {
  it.each(Object.keys(INPUTS))('%s speaks Italian whatever a field holds', (name) => {
    const schema = INPUTS[name] ?? z.never();
    const fields = Object.keys(INPUTS[name]?.shape ?? {});
    for (const field of fields)
      for (const junk of JUNK) {
        const result = schema.safeParse({ [field]: junk }, { error: issueMessage });
        for (const issue of result.error?.issues ?? []) {
          expect(issue.message).not.toBe('');
          expect(issue.message).not.toMatch(ENGLISH);
        }
      }
  });

  it('says what is allowed where the schema only has a bound', () => {
    const text = (schema: z.ZodType, value: unknown) =>
      schema.safeParse(value, { error: issueMessage }).error?.issues.map(({ message }) => message);
    expect(text(z.number().min(5), 1)).toEqual(['Valore minimo: 5.']);
    expect(text(z.string().max(3), 'long')).toEqual(['Troppo lungo: al massimo 3.']);
    expect(text(z.string(), undefined)).toEqual(['Campo obbligatorio.']);
  });
});
