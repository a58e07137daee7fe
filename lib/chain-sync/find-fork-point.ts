/**
 * The highest of some stored blocks that is still on the chain. Blocks below a common one are common too, so the stored
 * ones are halved: nine questions for 512 blocks.
 * @param stored blocks by rising height
 * @param isOnChain asks the node
 * @returns null when none of them is
 */
export async function findForkPoint<T>(stored: T[], isOnChain: (block: T) => Promise<boolean>): Promise<T | null> {
  let fork: T | null = null;
  let low = 0;
  let high = stored.length - 1;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const block = stored[middle];
    if (block === undefined) break;
    if (await isOnChain(block)) {
      fork = block;
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return fork;
}
