import { describe, expect, test } from 'vitest';
import { receiptMail } from './mails';

const ETH = 10n ** 18n;
const mail = (toStatus: 'paid' | 'forcePaid', amountReceivedUnits: bigint) =>
  receiptMail({
    sequence: 1,
    type: 'invoice.statusChanged',
    fromStatus: 'pending',
    toStatus,
    paymentState: 'settled',
    amountPaidUnits: amountReceivedUnits,
    amountReceivedUnits,
    createdAt: new Date(),
    uuid: '0f9d8c7b-0000-4000-8000-00009f3c1a7e',
    externalCode: null,
    description: 'Borsa',
    amountEurCents: 14_850,
    coin: 'ETH',
    amountUnits: ETH / 20n,
  });

describe('the receipt', () => {
  test('of a payment to the unit says what was received, once', () => {
    const { subject, text } = mail('paid', ETH / 20n);
    expect(subject).toBe('Ricevuta del pagamento #9f3c1a7e');
    expect(text).toBe(
      'Abbiamo ricevuto il tuo pagamento.\n\nFattura: #9f3c1a7e\nDescrizione: Borsa\n' +
        'Importo della fattura: 148,50\u00a0€\nRicevuto in ETH: 0,05000000\n',
    );
  });

  test.each([
    ['too much', ETH / 10n, '0,10000000'],
    ['a little less than due', ETH / 20n - 1n, '0,04999999'],
  ])('of a payment of %s says what was received beside what was due', (_, units, received) => {
    expect(mail('paid', units).text).toContain(`Ricevuto in ETH: ${received}\nDovuto in ETH: 0,05000000\n`);
  });

  test('of a forced payment says what was received and who declared it paid, not that what was due came', () => {
    const { subject, text } = mail('forcePaid', ETH / 50n);
    expect(subject).toBe('Fattura #9f3c1a7e segnata come pagata');
    expect(text).toContain('Il venditore ha segnato la tua fattura come pagata.');
    expect(text).toContain('Ricevuto in ETH: 0,02000000\nDovuto in ETH: 0,05000000\n');
  });

  test('of a forced payment without money in its coin claims no payment', () => {
    const { subject, text } = mail('forcePaid', 0n);
    expect(`${subject} ${text}`).not.toMatch(/ETH|ricevut|pagamento/i);
    expect(text).toContain('Importo della fattura: 148,50\u00a0€\n');
  });
});
