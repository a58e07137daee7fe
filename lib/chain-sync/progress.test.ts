import { expect, test } from 'vitest';
import { addSeconds } from '@/lib/shared/time';
import { liveSince, placeOf, progressOf } from './progress';

const NOW = new Date('2026-11-28T12:00:00Z');
const ago = (seconds: number) => addSeconds(NOW, -seconds);
const HOUR = 3_600;

interface Given {
  /** Blocks that the head is above the cursor. */
  ahead: number;
  cursorAge?: number;
  headAge?: number;
  unreadBefore?: Date | null;
  height?: bigint | null;
}

function progress({ ahead, cursorAge = 12, headAge = 0, unreadBefore = null, height = 100n }: Given) {
  const cursor = { height, chainTime: height === null ? null : ago(cursorAge) };
  const head = { height: 100n + BigInt(ahead), time: ago(headAge) };
  return progressOf({ cursor, head, lookedAt: NOW, unreadBefore }, HOUR);
}
const isLive = ({ followedUntil }: { followedUntil: Date }, now = NOW) => followedUntil > liveSince(now);

test('a chain that was read to its head is live for a minute after the look, and no longer', () => {
  const read = progress({ ahead: 0, headAge: 12 });
  expect(read).toEqual({ unreadSince: null, followedUntil: NOW });
  expect(isLive(read, addSeconds(NOW, 59))).toBe(true);
  expect(isLive(read, addSeconds(NOW, 60))).toBe(false);
});

test('a look alone is no progress: what waits for a minute to be read ends the sale', () => {
  expect(isLive(progress({ ahead: 1, headAge: 59 }))).toBe(true);
  expect(isLive(progress({ ahead: 1, headAge: 60 }))).toBe(false);
  expect(isLive(progress({ ahead: 36, cursorAge: 432 }))).toBe(false);
});

test('one new block waits since its own time, however long the chain was quiet before it', () => {
  expect(progress({ ahead: 1, cursorAge: 1_200, headAge: 3 })).toEqual({ unreadSince: ago(3), followedUntil: ago(3) });
});

test('of several unread blocks the oldest counts, which is about as old as the one that was read last', () => {
  expect(progress({ ahead: 2, cursorAge: 30, headAge: 3 }).unreadSince).toEqual(ago(30));
});

test('a head whose miner set its time into the future waits since we saw it first', () => {
  expect(progress({ ahead: 1, headAge: -7_200 }).unreadSince).toEqual(NOW);
  expect(progress({ ahead: 1, headAge: -7_200, unreadBefore: ago(61) }).unreadSince).toEqual(ago(61));
});

test('a head that is older than the chain allows is a node that hangs, also when all of it was read', () => {
  expect(isLive(progress({ ahead: 0, headAge: HOUR - 1 }))).toBe(true);
  expect(isLive(progress({ ahead: 0, headAge: HOUR }))).toBe(false);
});

test('a node that lags behind what was read leaves nothing unread', () => {
  expect(progress({ ahead: -2 })).toEqual({ unreadSince: null, followedUntil: NOW });
  expect(progress({ ahead: 5, height: null }).unreadSince).toBeNull();
});

test('a cursor stands on the last block that was read, and without one nowhere', () => {
  const block = (height: bigint) => {
    const time = ago(Number(height));
    return { height, hash: '0x', parentHash: '0x', time, chainTime: time };
  };
  expect(placeOf([block(6n), block(7n), block(8n)])).toEqual({ height: 8n, chainTime: ago(8) });
  expect(placeOf([])).toEqual({ height: null, chainTime: null });
});
