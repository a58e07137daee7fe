import type { BlockRef, ChainHead } from '@/lib/chains/types';
import { WATCHER_STALE_SECONDS } from '@/lib/shared/limits';
import { addSeconds } from '@/lib/shared/time';
import type { Cursor } from './cursor';

/** What a look at the node says beside what the cursor has read. */
export interface Look {
  cursor: Pick<Cursor, 'height' | 'chainTime'>;
  head: Pick<ChainHead, 'height' | 'time'>;
  lookedAt: Date;
  /** Since when the oldest unread block waited at the look before, if the cursor has not moved since. */
  unreadBefore: Date | null;
}

export interface Progress {
  /** Since when the oldest unread block waits; null when everything was read. */
  unreadSince: Date | null;
  /** Up to this moment all that the chain had was read. */
  followedUntil: Date;
}

/**
 * How far a chain is followed: a watcher that looks, but does not read, makes no progress. Pure; health, the sale of an
 * invoice, the choice of a coin and what a pay page offers all ask whether `followedUntil` is later than `liveSince`.
 * The oldest unread block is the head when it is the only one, else it is later than the cursor's block, whose time stands
 * for it; times that miners set into the future are cut to our first sight.
 * @param stalledAfterSeconds a head that is older says that the node hangs
 */
export function progressOf({ cursor, head, lookedAt, unreadBefore }: Look, stalledAfterSeconds: number): Progress {
  const { height, chainTime } = cursor;
  const unreadSince =
    height === null || head.height <= height
      ? null
      : earliest(unreadBefore, head.height === height + 1n ? head.time : chainTime, lookedAt);
  const headIsNewsUntil = addSeconds(head.time, stalledAfterSeconds - WATCHER_STALE_SECONDS);
  return { unreadSince, followedUntil: earliest(unreadSince, headIsNewsUntil, lookedAt) };
}

/** A chain that was followed until later than this is read: what is paid on it can be sold. */
export function liveSince(now: Date): Date {
  return addSeconds(now, -WATCHER_STALE_SECONDS);
}

/** Where a cursor stands when these blocks were read. */
export function placeOf(blocks: readonly BlockRef[]): Look['cursor'] {
  const last = blocks.at(-1);
  return { height: last?.height ?? null, chainTime: last?.chainTime ?? null };
}

function earliest(...[first, second, last]: [Date | null, Date | null, Date]): Date {
  return [first, second].reduce<Date>((least, date) => (date !== null && date < least ? date : least), last);
}
