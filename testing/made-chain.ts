import type { ScannedBlock, Transfer } from '@/lib/chains/types';

/** Hash of a block of the branch called `branch`. */
export function blockHash(branch: string, height: number): string {
  return `0x${Buffer.from(`${branch}:${height}`).toString('hex').padStart(64, '0')}`;
}

/** A plain payment in ETH as an EVM chain's reader tells it. */
export function paymentOf(txHash: string, to: string, amountUnits: bigint): Transfer {
  return {
    key: txHash,
    txHash,
    coin: 'ETH',
    kind: 'payment',
    from: null,
    to,
    amountUnits,
    maturity: 0,
    spends: [],
  };
}

/** A transfer of `amountUnits` to an address, by a transaction that `name` tells apart. */
export function transferTo(to: string, amountUnits: bigint, name = 'payment'): Transfer {
  const txHash = `0x${Buffer.from(name).toString('hex').padStart(64, '0')}`;
  return { ...paymentOf(txHash, to, amountUnits), from: `0x${'22'.repeat(20)}` };
}

/**
 * Hash-linked blocks `from`..`to` of a branch that leaves another one below `from`.
 * @param options.after branch of the block before `from`
 * @param options.transfers by height
 */
export function makeBlocks(
  from: number,
  to: number,
  options: { branch?: string; after?: string; transfers?: Record<number, Transfer[]> } = {},
): ScannedBlock[] {
  const { branch = 'a', after = branch, transfers = {} } = options;
  return Array.from({ length: to - from + 1 }, (_, offset) => {
    const height = from + offset;
    const time = new Date(1_795_000_000_000 + height * 12_000);
    return {
      height: BigInt(height),
      hash: blockHash(branch, height),
      parentHash: blockHash(offset === 0 ? after : branch, height - 1),
      time,
      chainTime: time,
      transfers: transfers[height] ?? [],
      outgoing: [],
    };
  });
}
