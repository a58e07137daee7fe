/** How far a chain was read, and up to which block its ordinary deposits count. */
export interface ReadChain {
  height: bigint | null;
  confirmedHeight: bigint | null;
}

export interface MinedDeposit {
  blockHeight: bigint | null;
  /** Not on the chain now. */
  orphaned: boolean;
  /** Confirmations that it needs beside what the chain asks of every deposit. */
  extraConfirmations: number;
}

/**
 * Confirmations of a deposit: cursor height − block height + 1, so that the block that holds it is the first.
 * @returns 0 while the deposit is in no block, its block was orphaned, or the cursor has not reached it
 */
export function confirmationsOf(
  { blockHeight, orphaned }: Pick<MinedDeposit, 'blockHeight' | 'orphaned'>,
  { height }: Pick<ReadChain, 'height'>,
): number {
  if (blockHeight === null || orphaned || height === null) return 0;
  const confirmations = height - blockHeight + 1n;
  return confirmations > 0n ? Number(confirmations) : 0;
}

/** Does a deposit count: by its chain's rule, and by what it itself needs more? */
export function isConfirmed(deposit: MinedDeposit, chain: ReadChain): boolean {
  const confirmations = confirmationsOf(deposit, chain);
  if (confirmations === 0 || deposit.blockHeight === null || chain.confirmedHeight === null) return false;
  return deposit.blockHeight <= chain.confirmedHeight && confirmations >= deposit.extraConfirmations;
}

/**
 * `isConfirmed` in SQL, for deposit `d` and how far its chain was read, both as expressions. Orphans are for the caller to
 * leave out.
 */
export function confirmedInSql(d: string, read: { height: string; confirmedHeight: string }): string {
  return `(${d}.block_height <= ${read.confirmedHeight}::bigint
    AND ${d}.block_height <= ${read.height}::bigint - ${d}.extra_confirmations + 1)`;
}

/** How far a chain was read, for SQL: as cursor `c` says. */
export function readOf(c: string): { height: string; confirmedHeight: string } {
  return { height: `${c}.height`, confirmedHeight: `${c}.confirmed_height` };
}

/** `confirmationsOf` in SQL. */
export function confirmationsInSql(d: string, c: string): string {
  return `greatest(coalesce(${c}.height - ${d}.block_height + 1, 0), 0)`;
}
