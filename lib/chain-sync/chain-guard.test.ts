import { expect, it } from 'vitest';
import { MemoryChain } from '@/testing/memory-chain';
import { MemoryNode } from '@/testing/memory-node';
import { ChainGuard } from './chain-guard';
import type { PlacedCursor } from './cursor';

const TOLERATED = 2;

async function world() {
  const chain = new MemoryChain({ seed: 'guard', startsAt: new Date('2026-01-01T00:00:00Z'), height: 20 });
  const node = new MemoryNode({ chain });
  const genesisHash = await node.genesisHash();
  const cursor: PlacedCursor = {
    ...{ chain: 'ethereum', genesisHash, epoch: 0, height: 20n, hash: chain.tip.hash, chainTime: chain.tip.time },
    ...{ headHeight: 20n, finalizedHeight: null, confirmedHeight: null, loadedGeneration: 0n, pausedReason: null },
    branchHeight: null,
  };
  const head = (height: bigint) => ({ height, hash: '0x', time: chain.tip.time, finalizedHeight: null });
  return { chain, node, cursor, head, guard: new ChainGuard(node, TOLERATED) };
}

it('a chain with another first block is foreign, until the known one is back', async () => {
  const { chain, cursor, head, guard } = await world();
  expect(await guard.doubt({ ...cursor, genesisHash: '0xother' }, head(20n))).toBe('foreign_chain');
  expect(await guard.doubt(cursor, head(20n))).toBeNull();
  chain.replace('another', 20);
  guard.distrust();
  expect(await guard.doubt(cursor, head(20n))).toBe('foreign_chain');
});

it('a chain that was looked at is believed without asking again, until there is a reason to', async () => {
  const { chain, cursor, head, guard } = await world();
  expect(await guard.isKnownChain(cursor)).toBe(true);
  chain.replace('another', 20);
  expect(await guard.doubt(cursor, head(20n))).toBeNull();
  guard.distrust();
  expect(await guard.isKnownChain(cursor)).toBe(false);
});

it('a chain on which the cursor was just placed needs no question', async () => {
  const { node, cursor, guard } = await world();
  guard.trust();
  node.break({ kind: 'error', reason: 'unreachable', calls: 1 });
  expect(await guard.isKnownChain(cursor)).toBe(true);
});

it('a head that is lower than tolerated means something at the third look in a row', async () => {
  const { cursor, head, guard } = await world();
  const look = (height: bigint) => guard.doubt(cursor, head(height));
  expect([await look(17n), await look(17n), await look(17n), await look(17n)]).toEqual([
    ...[null, null, 'head_lower', 'head_lower'],
  ]);
  expect([await look(18n), await look(17n), await look(17n), await look(17n)]).toEqual([
    ...[null, null, null, 'head_lower'],
  ]);
});

it('a placement forgets the lower heads that were seen before', async () => {
  const { cursor, head, guard } = await world();
  for (const height of [10n, 10n]) await guard.doubt(cursor, head(height));
  guard.trust();
  expect(await guard.doubt(cursor, head(10n))).toBeNull();
});
