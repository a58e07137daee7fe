import {
  type BlockRef,
  ChainError,
  type ChainHead,
  type ChainReader,
  type IsWatched,
  type ScannedBlock,
  type Transfer,
} from '../types';

/**
 * Several nodes of one chain behind its port: an answer counts when `quorum` of them give the same one, and a node that
 * cannot answer is passed over. The head is the highest block that so many have.
 * @param readers one per node, at least `quorum`; the first is asked first
 * @throws ChainError `disagreement` from each call for which too few say the same, or the fault of a node that failed
 */
export function openQuorum(readers: readonly ChainReader[], quorum: number): ChainReader {
  const [first] = readers;
  if (!first || readers.length < quorum) throw new Error(`A quorum of ${quorum} needs as many nodes.`);
  if (readers.length === 1) return first;
  const agree = <T>(call: (reader: ChainReader) => Promise<T>) => agreed(readers, quorum, call);
  return {
    chain: first.chain,
    genesisHash: () => agree((reader) => reader.genesisHash()),
    head: () => agreedHead(readers, quorum),
    block: (height) => agree((reader) => reader.block(height)),
    scan: (from, to, isWatched) => agree(async (reader) => inOrder(await reader.scan(from, to, isWatched))),
    mempool: (isWatched) => agreedMempool(readers, quorum, isWatched),
    balances: (coin, addresses, height) => agree((reader) => reader.balances(coin, addresses, height)),
    usedAddresses: (addresses) => usedForAny(readers, quorum, addresses),
  };
}

/** Asks one node after the other until enough have given the same answer. */
async function agreed<T>(
  readers: readonly ChainReader[],
  quorum: number,
  call: (reader: ChainReader) => Promise<T>,
): Promise<T> {
  const votes = new Map<string, number>();
  let fault: ChainError | undefined;
  for (const reader of readers) {
    try {
      const answer = await call(reader);
      const text = textOf(answer);
      const count = (votes.get(text) ?? 0) + 1;
      votes.set(text, count);
      if (count >= quorum) return answer;
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      fault = error;
    }
  }
  if (votes.size > 1 || !fault) throw new ChainError('disagreement', `fewer than ${quorum} nodes say the same`);
  throw fault;
}

function textOf(answer: unknown): string {
  return JSON.stringify(answer, plain);
}

/** bigint and Map have no JSON of their own. */
function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Map ? [...value].sort() : value;
}

/** In which order a node lists what a block holds means nothing. */
function inOrder(blocks: readonly ScannedBlock[]): ScannedBlock[] {
  return blocks.map(({ transfers, outgoing, ...block }) => ({
    ...block,
    transfers: sortedBy(transfers.map(withSortedSpends), ({ key }) => key),
    outgoing: sortedBy(outgoing, textOf),
  }));
}

const withSortedSpends = (transfer: Transfer): Transfer => ({ ...transfer, spends: [...transfer.spends].sort() });

function sortedBy<T>(values: readonly T[], name: (value: T) => string): T[] {
  const named = values.map((value) => ({ value, name: name(value) }));
  return named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)).map(({ value }) => value);
}

/**
 * Nodes see the mempool at different times: a transfer waits when `quorum` of them list it alike. Of two that exclude each
 * other the one is taken that the first node lists.
 */
async function agreedMempool(
  readers: readonly ChainReader[],
  quorum: number,
  isWatched: IsWatched,
): Promise<Transfer[]> {
  const answers = await Promise.allSettled(readers.map((reader) => reader.mempool(isWatched)));
  const lists = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  if (lists.length < quorum) throw faultOf(answers);
  const votes = new Map<string, { transfer: Transfer; count: number }>();
  for (const list of lists) {
    const named = new Map(list.map(withSortedSpends).map((transfer) => [textOf(transfer), transfer]));
    for (const [text, transfer] of named) votes.set(text, { transfer, count: (votes.get(text)?.count ?? 0) + 1 });
  }
  const spentBy = new Map<string, string>();
  return [...votes.values()].flatMap(({ transfer, count }) => {
    const { spends, txHash } = transfer;
    if (count < quorum || spends.some((spent) => (spentBy.get(spent) ?? txHash) !== txHash)) return [];
    for (const spent of spends) spentBy.set(spent, txHash);
    return [transfer];
  });
}

/** What one node knows as used is used: that of `quorum` nodes one has not seen it yet is no vote against it. */
async function usedForAny(
  readers: readonly ChainReader[],
  quorum: number,
  addresses: readonly string[],
): Promise<string[]> {
  const answers = await Promise.allSettled(readers.map((reader) => reader.usedAddresses(addresses)));
  const lists = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  if (lists.length < quorum) throw faultOf(answers);
  const used = new Set(lists.flat());
  return addresses.filter((address) => used.has(address));
}

/** The highest block that `quorum` nodes have in common, and the finality that as many tell. */
async function agreedHead(readers: readonly ChainReader[], quorum: number): Promise<ChainHead> {
  const answers = await Promise.allSettled(readers.map((reader) => reader.head()));
  const heads = answers.flatMap((answer, index) => {
    const reader = readers[index];
    return answer.status === 'fulfilled' && reader ? [{ reader, head: answer.value }] : [];
  });
  if (heads.length < quorum) throw faultOf(answers);
  const finalized = heads.flatMap(({ head }) => (head.finalizedHeight === null ? [] : [head.finalizedHeight]));
  const finalizedHeight = falling(finalized)[quorum - 1] ?? null;
  // One node that lies about the top block must not hide a lower one that the others share.
  for (const height of new Set(falling(heads.map(({ head }) => head.height)).slice(quorum - 1))) {
    const above = heads.filter(({ head }) => head.height >= height);
    const blocks = await Promise.allSettled(above.map(({ reader, head }) => headerAt(reader, head, height)));
    const found = blocks.flatMap((block) => (block.status === 'fulfilled' ? [block.value] : []));
    const common = found.find(({ hash }) => found.filter((other) => other.hash === hash).length >= quorum);
    if (common) return { height, hash: common.hash, time: common.time, finalizedHeight };
  }
  throw new ChainError('disagreement', `fewer than ${quorum} nodes have a block in common`);
}

function headerAt(reader: ChainReader, head: ChainHead, height: bigint): Promise<Pick<BlockRef, 'hash' | 'time'>> {
  return head.height === height ? Promise.resolve(head) : reader.block(height);
}

function falling(values: readonly bigint[]): bigint[] {
  return [...values].sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
}

function faultOf(answers: readonly PromiseSettledResult<unknown>[]): unknown {
  return (
    answers.find((answer) => answer.status === 'rejected')?.reason ??
    new ChainError('disagreement', 'too few nodes answered')
  );
}
