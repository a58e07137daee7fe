import type { Difference } from '@/lib/ledger/findings';
import type { InFlight, ReconcileReport } from '@/lib/reconciliation/report';
import { COIN_INFO, type Coin } from '@/lib/shared/coins';
import { formatUnits } from '@/lib/shared/money';

const LABELS: Record<InFlight['state'], string> = {
  unconfirmed: 'waits for confirmations',
  not_final: 'waits for a final block',
  unbooked: 'is booked with the next block',
  written_off: 'is left from before the local chain was replaced',
};

/** A report as an operator reads it, several lines. */
export function describeReport(report: ReconcileReport): string {
  const { coin } = report;
  return [
    `${coin}: ${verdict(report)}`,
    ...(report.notCompared === null ? [describeBalances(report)] : [`  chain not compared: ${report.notCompared}`]),
    `  ${report.invoiceCount} invoices judged, ${report.lateInvoiceCount} of them change soon; ${report.settlementBacklog} settlements queued, timeliness ${report.timelinessSeconds} s`,
    ...section(
      'in flight',
      report.inFlightCount,
      report.inFlightUnits,
      coin,
      report.inFlight.map(describeInFlight(coin)),
    ),
    ...section(
      'DIFFERENCES',
      report.differenceCount,
      report.differenceUnits,
      coin,
      report.differences.map(describeDifference(coin)),
    ),
  ].join('\n');
}

function verdict({ differenceCount, notCompared }: ReconcileReport): string {
  if (differenceCount > 0) return `${differenceCount} unexplained`;
  return notCompared === null ? 'everything agrees' : 'the books agree, the chain could not be compared';
}

function describeBalances({ coin, height, addressCount, onChainUnits, completeness }: ReconcileReport): string {
  const percent = (completeness * 100).toFixed(4).replace(/\.?0+$/, '');
  return `  ${addressCount} addresses hold ${amount(onChainUnits, coin)} at block ${height}, ${percent}% explained`;
}

function section(title: string, count: number, units: bigint, coin: Coin, lines: string[]): string[] {
  if (count === 0) return [];
  const more = count > lines.length ? [`    and ${count - lines.length} more`] : [];
  return [`  ${title}: ${count}, ${amount(units, coin)}`, ...lines.map((line) => `    ${line}`), ...more];
}

function describeInFlight(coin: Coin) {
  return ({ state, address, txHash, amountUnits }: InFlight) =>
    `${amount(amountUnits, coin)} to ${address}${txHash ? ` in ${txHash}` : ''} ${LABELS[state]}`;
}

function describeDifference(coin: Coin) {
  return ({ kind, subject, expected, actual }: Difference) => {
    const isText = kind === 'invoice' || kind === 'history' || kind === 'derivation';
    const shown = (value: string) => (isText ? value : amount(BigInt(value), coin));
    return `${subject}: ${shown(expected)} expected, ${shown(actual)} found`;
  };
}

/** All decimals that say something: a difference of one unit must be seen. */
function amount(units: bigint, coin: Coin): string {
  return `${formatUnits(units, COIN_INFO[coin].decimals).replace(/\.?0+$/, '')} ${coin}`;
}
