import { describe, expect, it } from 'vitest';
import { EXPIRY_MINUTES } from '@/lib/shared/limits';
import { EMPTY_INVOICE, expiryLabel, InvoiceForm } from './invoice-form';

const filled = { ...EMPTY_INVOICE, description: ' Borsa ', amount: '1.248,50' };

function messages(values: typeof filled): string[] {
  return InvoiceForm.safeParse(values).error?.issues.map((issue) => issue.message) ?? [];
}

describe('form of a new invoice', () => {
  it('[S7.3-08..12] becomes the body of the call; what is left empty is left out', () => {
    expect(InvoiceForm.parse(filled)).toEqual({
      description: 'Borsa',
      amountEuro: 1248.5,
      cryptoType: undefined,
      externalCode: undefined,
      expiryMinutes: 60,
    });
    expect(InvoiceForm.parse({ ...filled, cryptoType: 'LTC', externalCode: ' X1 ', expiryMinutes: '5' })).toMatchObject(
      {
        cryptoType: 'LTC',
        externalCode: 'X1',
        expiryMinutes: 5,
      },
    );
  });

  it('[S5.5-01] [S5.5-02] asks for a description and an amount', () => {
    expect(messages({ ...filled, description: '  ' })).toEqual(['Inserisci una descrizione']);
    expect(messages({ ...filled, amount: '0' })).toEqual(['Inserisci un importo in euro valido']);
    expect(messages({ ...filled, amount: '1,234' })).toEqual(['Importo ambiguo: scrivi 1234 oppure 1,23']);
  });

  it('[S2.10-12] [S2.10-13] [S2.10-14] labels the validity', () => {
    expect(EXPIRY_MINUTES.map(expiryLabel)).toEqual([
      '5 minuti',
      '15 minuti',
      '30 minuti',
      '1 ora',
      '2 ore',
      '6 ore',
      '12 ore',
      '24 ore',
    ]);
  });
});
