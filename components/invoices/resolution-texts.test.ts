import { describe, expect, it } from 'vitest';
import type { InvoiceDetailView, PaymentView } from '@/lib/api-schema/invoices';
import { resolutionTexts } from './resolution-texts';

function misfit(
  units: bigint,
  openIssues: InvoiceDetailView['openIssues'],
  status: PaymentView['status'] = 'confirmed',
): Parameters<typeof resolutionTexts>[0] {
  const payment: PaymentView = {
    hash: '0x1',
    amount: '0',
    amountUnits: units.toString(),
    confirmations: 0,
    status,
    timestamp: '2026-11-27T12:00:00.000Z',
  };
  return { cryptoType: 'ETH', amount: '0.01000000', payments: [payment], openIssues };
}
const DUE = 10n ** 16n;

describe('accepting late money', () => {
  it('promises a paid invoice only when the money covers what is due and is confirmed', () => {
    expect(resolutionTexts(misfit(DUE, ['late']), 'accept').text).toContain(
      'la fattura diventa pagata e il tuo negozio',
    );
  });
  it('promises it for later while the money waits for confirmations', () => {
    const texts = resolutionTexts(misfit(DUE, ['late'], 'unconfirmed'), 'accept');
    expect(texts.text).toContain('appena la rete lo conferma');
    expect(texts.expiredDescription).toContain('appena la rete lo conferma');
  });
  it('says that the invoice stays expired when the money does not cover what is due, and by how much', () => {
    const texts = resolutionTexts(misfit(DUE / 2n, ['late']), 'accept');
    expect(texts.text).toContain('mancano 0,00500000\u00a0ETH');
    expect(texts.text).toContain('la fattura resta scaduta');
    expect(texts.expiredDescription).toBe('Non copre il dovuto: la fattura resta scaduta.');
  });
  it('says that money on another network is closed with it', () => {
    expect(resolutionTexts(misfit(DUE, ['late', 'wrongNetwork']), 'accept').text).toContain('rete sbagliata');
    expect(resolutionTexts(misfit(DUE, ['late']), 'accept').text).not.toContain('rete sbagliata');
  });
});

it('names the surplus that is kept', () => {
  expect(resolutionTexts(misfit(3n * DUE, ['overpaid']), 'accept').text).toContain(
    '0,02000000\u00a0ETH più del dovuto',
  );
});
