interface MinedDeposit {
  blockHeight: bigint | null;
  orphanedAt: Date | null;
}

/**
 * Confirmations of a deposit: cursor height − block height + 1, so that the block that holds it is the first.
 * @returns 0 while the deposit is in no block, its block was orphaned, or the cursor has not reached it
 */
export function confirmationsOf(deposit: MinedDeposit, cursorHeight: bigint | null): number {
  if (deposit.blockHeight === null || deposit.orphanedAt !== null || cursorHeight === null) return 0;
  const confirmations = cursorHeight - deposit.blockHeight + 1n;
  return confirmations > 0n ? Number(confirmations) : 0;
}
