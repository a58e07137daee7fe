import { describe, expect, it } from 'vitest';
import { finalityAt, isStoppedByOperator, PAUSE_REASONS } from './cursor';

const byFinality = { kind: 'finality', shown: 3 } as const;
const head = (finalizedHeight: bigint | null) => ({ height: 200n, hash: '0xhead', time: new Date(0), finalizedHeight });

describe('finality at a block that was read', () => {
  it.each([
    ['is what the node tells', 90n, null, 90n],
    ['ends at the block that was read, however far the node is', 150n, null, 100n],
    ['is the block that was read when that is what the node tells', 100n, null, 100n],
    ['is unknown while no node told it', null, null, null],
    ['stays when the node stops telling it', null, 80n, 80n],
    ['never falls', 70n, 80n, 80n],
    ['stays at the same', 80n, 80n, 80n],
    ['rises', 81n, 80n, 81n],
  ])('%s', (_, told, before, due) => {
    expect(finalityAt(byFinality, 100n, head(told), before)).toEqual({ finalizedHeight: due, confirmedHeight: due });
  });

  it('is not taken for the first block where nobody told it, and is the first block where that is final', () => {
    const none = { finalizedHeight: null, confirmedHeight: null };
    expect(finalityAt(byFinality, 0n, head(null))).toEqual(none);
    expect(finalityAt(byFinality, 100n, head(null), 0n)).toEqual({ finalizedHeight: 0n, confirmedHeight: 0n });
  });

  it('of a first look has nothing before it, and confirms by count where the rule counts', () => {
    expect(finalityAt({ kind: 'count', blocks: 3 }, 100n, head(90n))).toEqual({
      finalizedHeight: 90n,
      confirmedHeight: 98n,
    });
  });
});

describe('a chain is stopped by its operator', () => {
  it('when the reason is none of the watcher’s own', () => {
    expect(isStoppedByOperator({ pausedReason: 'maintenance' })).toBe(true);
    expect(isStoppedByOperator({ pausedReason: '' })).toBe(true);
  });

  it.each([null, ...PAUSE_REASONS])('and not by %s', (pausedReason) => {
    expect(isStoppedByOperator({ pausedReason })).toBe(false);
  });

  it('and the words that the watcher takes away again are these, which stand in stored rows', () => {
    expect(PAUSE_REASONS).toEqual([
      ...['wrong_chain_id', 'foreign_chain', 'head_lower', 'reorg_below_finalized', 'reorg_too_deep'],
    ]);
  });
});
