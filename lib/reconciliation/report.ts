import type { Difference } from '@/lib/ledger/findings';
import type { Coin } from '@/lib/shared/coins';

/**
 * Why money is not compared yet: it waits for its confirmations, for a final block, or for its booking with the next block;
 * or it came before a local chain was replaced and is off the books.
 */
export type InFlightState = 'unconfirmed' | 'not_final' | 'unbooked' | 'written_off';

export interface InFlight {
  state: InFlightState;
  /** Canonical. */
  address: string;
  /** Null where it is about the address as a whole. */
  txHash: string | null;
  amountUnits: bigint;
}

/** What a comparison of one coin's chain, ledger and invoices came to. Amounts are base units. */
export interface ReconcileReport {
  coin: Coin;
  /** Block at whose state chain and records were compared; null when they could not be. */
  height: bigint | null;
  /** Why chain and records could not be compared; null when they were. Books and invoices are judged in any case. */
  notCompared: string | null;
  addressCount: number;
  invoiceCount: number;
  onChainUnits: bigint;
  /** Share of the money on the compared addresses that the records explain, from 0 to 1, rounded down. */
  completeness: number;
  /** Age of the oldest confirmed deposit that is not booked, or settlement that is not done. */
  timelinessSeconds: number;
  settlementBacklog: number;
  /** Invoices whose change is due and not yet made. */
  lateInvoiceCount: number;
  /** The first of them. */
  differences: Difference[];
  differenceCount: number;
  /** Sum of all differences, whatever their sign. */
  differenceUnits: bigint;
  /** The newest of them. */
  inFlight: InFlight[];
  inFlightCount: number;
  inFlightUnits: bigint;
}

const PARTS = 1_000_000n;

/** Share of the money on chain that is explained, rounded down to a millionth: 1 only when all of it is. */
export function completenessOf(explainedUnits: bigint, onChainUnits: bigint): number {
  return onChainUnits === 0n ? 1 : Number((explainedUnits * PARTS) / onChainUnits) / Number(PARTS);
}
