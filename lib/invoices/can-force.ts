import { COIN_INFO } from '@/lib/shared/coins';
import type { InvoiceRow } from './invoice-row';

/**
 * May the owner force this invoice paid? Pending and expired ones whose wallet received more than the coin's threshold,
 * or anything at all when less than that is due.
 */
export function canForce(row: Pick<InvoiceRow, 'status' | 'coin' | 'amountUnits' | 'addressReceivedUnits'>): boolean {
  if (row.coin === null || row.amountUnits === null) return false;
  if (row.status !== 'pending' && row.status !== 'expired') return false;
  const { forceThresholdUnits } = COIN_INFO[row.coin];
  return row.addressReceivedUnits > (row.amountUnits < forceThresholdUnits ? 0n : forceThresholdUnits);
}
