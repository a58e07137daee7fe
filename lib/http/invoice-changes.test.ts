import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { InvoiceChanges } from './invoice-changes';

const bytes = (text: string) => new TextEncoder().encode(text);

/** A hub whose database the test plays: reads wait until they are answered, or are answered at once. */
function makeHub({ answersAtOnce = true } = {}) {
  const connections: { change: (uuid: string) => void; signal: AbortSignal }[] = [];
  const reads: { uuid: string; answer: (text: string) => void; fail: () => void }[] = [];
  const onFault = vi.fn();
  const hub = new InvoiceChanges({
    read: (uuid) =>
      new Promise((resolve, reject) => {
        reads.push({ uuid, answer: (text) => resolve(bytes(text)), fail: () => reject(new Error('away')) });
        if (answersAtOnce) resolve(bytes(`${uuid} ${reads.length}`));
      }),
    listen: (change, signal) => connections.push({ change, signal }),
    onFault,
  });
  const change = (uuid: string) => connections.at(-1)?.change(uuid);
  return { hub, connections, reads, change, onFault };
}

const settle = () => vi.advanceTimersByTimeAsync(0);
const heard = (listener: ReturnType<typeof vi.fn>) =>
  listener.mock.calls.map(([frame]) => new TextDecoder().decode(frame));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('InvoiceChanges', () => {
  it('reads an invoice once per change for all who look at it, and hands all of them the same bytes', async () => {
    const { hub, reads, change } = makeHub();
    const listeners = Array.from({ length: 20 }, () => vi.fn());
    for (const listener of listeners) hub.subscribe('one', listener);
    const other = vi.fn();
    hub.subscribe('two', other);
    await settle();
    const before = reads.length;
    change('one');
    await settle();
    expect(reads.slice(before).map(({ uuid }) => uuid)).toEqual(['one']);
    const frames = new Set(listeners.map((listener) => listener.mock.lastCall?.[0]));
    expect(frames.size).toBe(1);
    expect(other).toHaveBeenCalledTimes(1);
  });

  it('tells who comes the invoice as it is, and the others nothing', async () => {
    const { hub } = makeHub();
    const [early, late] = [vi.fn(), vi.fn()];
    hub.subscribe('one', early);
    await settle();
    hub.subscribe('one', late);
    await settle();
    expect([heard(early), heard(late)]).toEqual([['one 1'], ['one 2']]);
  });

  it('makes one more read of all the changes that come during a read, after it', async () => {
    const { hub, reads, change } = makeHub({ answersAtOnce: false });
    const listener = vi.fn();
    hub.subscribe('one', listener);
    for (let at = 0; at < 100; at++) change('one');
    await settle();
    expect(reads).toHaveLength(1);
    reads[0]?.answer('old');
    await settle();
    expect(reads).toHaveLength(2);
    reads[1]?.answer('new');
    await settle();
    expect(heard(listener)).toEqual(['old', 'new']);
    expect(reads).toHaveLength(2);
  });

  it('after a break reads every invoice that is looked at, a few at a time', async () => {
    const { hub, reads, change } = makeHub({ answersAtOnce: false });
    const listeners = Array.from({ length: 12 }, (_, at) => {
      const listener = vi.fn();
      hub.subscribe(`invoice ${at}`, listener);
      return listener;
    });
    const answerFrom = async (first: number) => {
      for (let at = first; at < first + listeners.length; at++) {
        await settle();
        expect(reads.length - at).toBeLessThanOrEqual(4);
        reads[at]?.answer('read');
      }
      await settle();
    };
    await answerFrom(0);
    change('');
    await answerFrom(12);
    for (const listener of listeners) expect(listener).toHaveBeenCalledTimes(2);
    expect(reads).toHaveLength(24);
  });

  it('goes on after a read that failed', async () => {
    const { hub, reads, change, onFault } = makeHub({ answersAtOnce: false });
    const listener = vi.fn();
    hub.subscribe('one', listener);
    reads[0]?.fail();
    await settle();
    expect(onFault).toHaveBeenCalledTimes(1);
    change('one');
    reads[1]?.answer('back');
    await settle();
    expect(heard(listener)).toEqual(['back']);
  });

  it('shares one connection among those who come and go, and lets go of it a minute after the last', async () => {
    const { hub, connections } = makeHub();
    for (let at = 0; at < 1_000; at++) hub.subscribe('one', vi.fn())();
    await vi.advanceTimersByTimeAsync(59_000);
    const leave = hub.subscribe('one', vi.fn());
    await vi.advanceTimersByTimeAsync(120_000);
    expect(connections).toHaveLength(1);
    expect(connections[0]?.signal.aborted).toBe(false);
    leave();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(connections[0]?.signal.aborted).toBe(true);
    hub.subscribe('one', vi.fn());
    expect(connections).toHaveLength(2);
  });

  it('reads nothing for those who have left before their turn', async () => {
    const { hub, reads, change } = makeHub({ answersAtOnce: false });
    for (let at = 0; at < 4; at++) hub.subscribe(`busy ${at}`, vi.fn());
    const gone = vi.fn();
    const leave = hub.subscribe('gone', gone);
    change('gone');
    leave();
    for (const read of [...reads]) read.answer('read');
    await settle();
    expect(reads.map(({ uuid }) => uuid)).not.toContain('gone');
    expect(gone).not.toHaveBeenCalled();
  });
});
