import { expect, test } from 'vitest';
import type { ReconcileReport } from '@/lib/reconciliation/report';
import { describeReport } from './describe-report';

const CLEAN: ReconcileReport = {
  coin: 'ETH',
  height: 1234n,
  notCompared: null,
  addressCount: 3,
  invoiceCount: 2,
  onChainUnits: 3n * 10n ** 18n,
  completeness: 1,
  timelinessSeconds: 0,
  settlementBacklog: 0,
  lateInvoiceCount: 0,
  differences: [],
  differenceCount: 0,
  differenceUnits: 0n,
  inFlight: [],
  inFlightCount: 0,
  inFlightUnits: 0n,
};

test('a clean report is three lines', () => {
  expect(describeReport(CLEAN)).toBe(
    [
      'ETH: everything agrees',
      '  3 addresses hold 3 ETH at block 1234, 100% explained',
      '  2 invoices judged, 0 of them change soon; 0 settlements queued, timeliness 0 s',
    ].join('\n'),
  );
});

test('a difference of one unit is shown to the unit, and what is not listed is counted', () => {
  const text = describeReport({
    ...CLEAN,
    completeness: 0.999999,
    differences: [
      { kind: 'address', subject: 'address 0xab of nobody', expected: '0', actual: '1', units: 1n },
      { kind: 'invoice', subject: 'invoice i', expected: 'status pending', actual: 'status paid', units: 0n },
    ],
    differenceCount: 5,
    differenceUnits: 9n,
    inFlight: [{ state: 'unconfirmed', address: '0xcd', txHash: '0xef', amountUnits: 10n ** 17n }],
    inFlightCount: 1,
    inFlightUnits: 10n ** 17n,
  });
  expect(text.split('\n')).toEqual([
    'ETH: 5 unexplained',
    '  3 addresses hold 3 ETH at block 1234, 99.9999% explained',
    '  2 invoices judged, 0 of them change soon; 0 settlements queued, timeliness 0 s',
    '  in flight: 1, 0.1 ETH',
    '    0.1 ETH to 0xcd in 0xef waits for confirmations',
    '  DIFFERENCES: 5, 0.000000000000000009 ETH',
    '    address 0xab of nobody: 0 ETH expected, 0.000000000000000001 ETH found',
    '    invoice i: status pending expected, status paid found',
    '    and 3 more',
  ]);
});

test('a chain that could not be compared is said first', () => {
  const text = describeReport({ ...CLEAN, height: null, notCompared: 'node:8545 cannot be reached' });
  expect(text.split('\n').slice(0, 2)).toEqual([
    'ETH: the books agree, the chain could not be compared',
    '  chain not compared: node:8545 cannot be reached',
  ]);
});
