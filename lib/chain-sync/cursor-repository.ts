import type { BlockRef, ChainHead } from '@/lib/chains/types';
import type { Sql } from '@/lib/db/database';
import { statement } from '@/lib/db/statement';
import type { AddressFamily, Chain } from '@/lib/shared/chains';
import { WATCHER_STALE_SECONDS } from '@/lib/shared/limits';
import { asArrays, type BlockArrays, INSERT_BLOCKS } from './block-repository';
import { type Cursor, type Finality, type KnownBlock, PAUSE_REASONS, type PauseReason } from './cursor';
import { type Lease, LeaseLostError } from './lease';
import type { Progress } from './progress';

const CURSOR_COLUMNS = `chain, genesis_hash AS "genesisHash", epoch, height, hash, chain_time AS "chainTime",
  head_height AS "headHeight", finalized_height AS "finalizedHeight", confirmed_height AS "confirmedHeight",
  loaded_generation AS "loadedGeneration", paused_reason AS "pausedReason",
  branch_height AS "branchHeight"`;

type UnderLease = Pick<Lease, 'chain' | 'token'>;
const under = ({ chain, token }: Lease): UnderLease => ({ chain, token });

function required<T>(row: T | null, lease: Lease): T {
  if (row === null) throw new LeaseLostError(lease);
  return row;
}

/** A cursor at a look, with what that look showed. */
export type LookedAt = Cursor & { poolGeneration: bigint; lookedAt: Date; unreadSince: Date | null };

const NOTE_HEAD = statement<UnderLease & { headHeight: bigint; headTime: Date; family: AddressFamily }, LookedAt>(
  'chain-sync.note-head',
  `WITH outage AS (
     INSERT INTO watcher_outage (chain, started_at, ended_at)
     SELECT chain, looked_at, now() FROM chain_cursor
      WHERE chain = $chain::chain AND lease_token = $token AND height IS NOT NULL
        AND looked_at < now() - interval '${WATCHER_STALE_SECONDS} s'
   )
   UPDATE chain_cursor SET head_height = $headHeight, head_time = $headTime, looked_at = now()
    WHERE chain = $chain::chain AND lease_token = $token
    RETURNING ${CURSOR_COLUMNS}, looked_at AS "lookedAt", unread_since AS "unreadSince",
      COALESCE((SELECT generation FROM pool_generation WHERE family = $family::address_family), 0) AS "poolGeneration"`,
);

/**
 * Notes a successful look at the node, whether or not it has new blocks. A time in which nobody looked is kept as an outage.
 * @returns the cursor, when that was, and the committed generation of the family's address pool
 * @throws LeaseLostError
 */
export async function noteHead(sql: Sql, lease: Lease, head: ChainHead, family: AddressFamily): Promise<LookedAt> {
  const { height: headHeight, time: headTime } = head;
  return required(await NOTE_HEAD.first(sql, { ...under(lease), headHeight, headTime, family }), lease);
}

const NOTE_PROGRESS = statement<UnderLease & Progress, { chain: Chain }>(
  'chain-sync.note-progress',
  `UPDATE chain_cursor SET unread_since = $unreadSince, updated_at = $followedUntil
    WHERE chain = $chain::chain AND lease_token = $token RETURNING chain`,
);

/** Notes how far the chain is followed; whoever sells asks for it. @throws LeaseLostError */
export async function noteProgress(sql: Sql, lease: Lease, progress: Progress): Promise<void> {
  required(await NOTE_PROGRESS.first(sql, { ...under(lease), ...progress }), lease);
}

const LOCK = statement<UnderLease, Cursor & { lockedAt: Date }>(
  'chain-sync.lock-cursor',
  `SELECT ${CURSOR_COLUMNS}, now() AS "lockedAt" FROM chain_cursor
    WHERE chain = $chain::chain AND lease_token = $token FOR UPDATE`,
);

/** The cursor, locked until the transaction ends, so that no newer lease can begin in between, and when that began. @throws LeaseLostError */
export async function lockCursor(sql: Sql, lease: Lease): Promise<Cursor & { lockedAt: Date }> {
  return required(await LOCK.first(sql, under(lease)), lease);
}

interface Place extends Finality {
  genesisHash: string;
  epoch: number;
  height: bigint;
  hash: string;
  chainTime: Date;
  headHeight: bigint;
}

const PLACE = statement<UnderLease & Place>(
  'chain-sync.place-cursor',
  `UPDATE chain_cursor
      SET genesis_hash = $genesisHash, epoch = $epoch, height = $height, hash = $hash, chain_time = $chainTime,
          head_height = $headHeight, finalized_height = $finalizedHeight, confirmed_height = $confirmedHeight,
          paused_reason = NULL, branch_height = NULL, unread_since = NULL
    WHERE chain = $chain::chain AND lease_token = $token`,
);

const FORGET_BLOCKS = statement<{ chain: Chain; aboveHeight: bigint }>(
  'chain-sync.forget-blocks',
  'DELETE FROM chain_block WHERE chain = $chain::chain AND height > $aboveHeight',
);

/** Puts the cursor on a block of a chain, at the first start and when a devnet was replaced: what was read before is forgotten. */
export async function placeCursor(sql: Sql, lease: Lease, place: Place): Promise<void> {
  await PLACE.count(sql, { ...under(lease), ...place });
  await FORGET_BLOCKS.count(sql, { chain: lease.chain, aboveHeight: -1n });
}

/** What moves back with a cursor; `branchHeight` is null when nothing of a new branch is known above the fork. */
type BackTo = Pick<Finality, 'confirmedHeight'> & { branchHeight: bigint | null };

const MOVE_BACK = statement<UnderLease & KnownBlock & BackTo>(
  'chain-sync.move-cursor-back',
  `UPDATE chain_cursor SET height = $height, hash = $hash, chain_time = $chainTime, confirmed_height = $confirmedHeight,
          branch_height = $branchHeight
    WHERE chain = $chain::chain AND lease_token = $token`,
);

/**
 * Moves the cursor back to a block that was read before, and forgets the blocks above it. Nothing is decided until the new
 * branch was read up to `branchHeight`.
 */
export async function moveCursorBack(
  sql: Sql,
  lease: Lease,
  { height, hash, chainTime }: KnownBlock,
  { confirmedHeight, branchHeight }: BackTo,
): Promise<void> {
  await MOVE_BACK.count(sql, { ...under(lease), height, hash, chainTime, confirmedHeight, branchHeight });
  await FORGET_BLOCKS.count(sql, { chain: lease.chain, aboveHeight: height });
}

const END_BRANCH = statement<UnderLease>(
  'chain-sync.end-branch',
  'UPDATE chain_cursor SET branch_height = NULL WHERE chain = $chain::chain AND lease_token = $token',
);

/** The branch that a roll-back led to has no blocks that were not read: decisions go on. */
export async function endBranch(sql: Sql, lease: Lease): Promise<void> {
  await END_BRANCH.count(sql, under(lease));
}

const SET_CONFIRMED = statement<UnderLease & Finality>(
  'chain-sync.set-confirmed',
  `UPDATE chain_cursor SET finalized_height = $finalizedHeight, confirmed_height = $confirmedHeight
    WHERE chain = $chain::chain AND lease_token = $token`,
);

/** Notes what counts under a rule that may have changed since the cursor moved. */
export async function setFinality(sql: Sql, lease: Lease, finality: Finality): Promise<void> {
  await SET_CONFIRMED.count(sql, { ...under(lease), ...finality });
}

const ADVANCE = statement<
  UnderLease & BlockArrays & KnownBlock & Finality & { headHeight: bigint; forgetUpTo: bigint },
  { chain: Chain }
>(
  'chain-sync.advance-cursor',
  `WITH kept AS (${INSERT_BLOCKS}), pruned AS (
     DELETE FROM chain_block WHERE chain = $chain::chain AND height <= $forgetUpTo
   )
   UPDATE chain_cursor
      SET height = $height, hash = $hash, chain_time = $chainTime, head_height = $headHeight,
          finalized_height = $finalizedHeight, confirmed_height = $confirmedHeight, paused_reason = NULL,
          branch_height = CASE WHEN $height < least(branch_height, $headHeight) THEN branch_height END
    WHERE chain = $chain::chain AND lease_token = $token RETURNING chain`,
  { prepared: true },
);

/** Moves the cursor to the last of some blocks, keeps them, and ends a pause, and with the last block of a new branch its reading. The cursor row must be locked. @throws LeaseLostError */
export async function advanceCursor(
  sql: Sql,
  lease: Lease,
  to: { blocks: readonly BlockRef[]; last: BlockRef; head: ChainHead; finality: Finality; keptBlocks: number },
): Promise<void> {
  const { height, hash, chainTime } = to.last;
  const moved = await ADVANCE.first(sql, {
    ...under(lease),
    ...asArrays(to.blocks),
    ...to.finality,
    height,
    hash,
    chainTime,
    headHeight: to.head.height,
    forgetUpTo: height - BigInt(to.keptBlocks),
  });
  required(moved, lease);
}

const SET_PAUSE = statement<UnderLease & { reason: PauseReason | null; own: readonly string[] }, { chain: Chain }>(
  'chain-sync.set-pause',
  `UPDATE chain_cursor SET paused_reason =
     CASE WHEN paused_reason IS NULL OR paused_reason = ANY($own::text[]) THEN $reason ELSE paused_reason END
    WHERE chain = $chain::chain AND lease_token = $token RETURNING chain`,
);

/**
 * Stops crediting a chain, or with null goes on; a pause that an operator set stays. No invoice is sold meanwhile.
 * @throws LeaseLostError
 */
export async function setPause(sql: Sql, lease: Lease, reason: PauseReason | null): Promise<void> {
  required(await SET_PAUSE.first(sql, { ...under(lease), reason, own: PAUSE_REASONS }), lease);
}
