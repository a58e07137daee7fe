import { confirmedHeight } from '@/lib/chains/confirmation';
import type { BlockRef, ChainHead, ConfirmationRule } from '@/lib/chains/types';
import type { ChainCursor } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';

/**
 * How far a chain has been read, and on which chain. `genesisHash`, `height`, `hash` and `chainTime` are null before the
 * first start; `branchHeight` is null unless the branch that a roll-back led to is still being read; `pausedReason` is a `PauseReason`, or an operator's own word.
 */
export type Cursor = Row<
  ChainCursor,
  | 'chain'
  | 'genesisHash'
  | 'epoch'
  | 'height'
  | 'hash'
  | 'chainTime'
  | 'headHeight'
  | 'finalizedHeight'
  | 'confirmedHeight'
  | 'loadedGeneration'
  | 'pausedReason'
  | 'branchHeight'
>;

/** A cursor that stands on a block. */
export type PlacedCursor = Cursor & { height: bigint };

/** A block that was read before. */
export type KnownBlock = Pick<BlockRef, 'height' | 'hash' | 'chainTime'>;

/**
 * Why the watcher itself stopped crediting a chain. It goes on by itself when the node shows the known chain again; any
 * other reason was set by an operator and stays until the operator takes it away.
 */
export const PAUSE_REASONS = [
  'wrong_chain_id',
  'foreign_chain',
  'head_lower',
  'reorg_below_finalized',
  'reorg_too_deep',
] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** True while an operator has stopped the chain: the watcher must not go on by itself. */
export function isStoppedByOperator({ pausedReason }: Pick<Cursor, 'pausedReason'>): boolean {
  return pausedReason !== null && !PAUSE_REASONS.some((own) => own === pausedReason);
}

/** What a cursor on a block says of finality: as far as blocks were read, because beyond them it is of a chain unknown to us. */
export interface Finality {
  finalizedHeight: bigint | null;
  confirmedHeight: bigint | null;
}

/**
 * Finality and confirmation at a block that was read.
 * @param before what was final already: finality never falls
 */
export function finalityAt(
  rule: ConfirmationRule,
  height: bigint,
  head: ChainHead,
  before: bigint | null = null,
): Finality {
  const told = head.finalizedHeight === null ? null : min(head.finalizedHeight, height);
  const finalizedHeight = told === null || (before !== null && before > told) ? before : told;
  return { finalizedHeight, confirmedHeight: confirmedHeight(rule, { height, finalizedHeight }) };
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
