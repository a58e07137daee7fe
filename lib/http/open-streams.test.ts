import { describe, expect, it, vi } from 'vitest';
import { MESSAGES } from '@/lib/shared/messages';
import { OpenStreams, type StreamPlace } from './open-streams';

const CAPS = { perAddress: 3, perInvoice: 2, inAll: 4 };
const caller = (address: string, invoice: string) => ({ address, invoice });

describe('OpenStreams', () => {
  it('ends each stream that is still open, once', () => {
    const streams = new OpenStreams();
    const [ended, open] = [vi.fn(), vi.fn()];
    const left = streams.take(caller('a', '1'));
    left.begin(ended);
    streams.take(caller('a', '1')).begin(open);
    left.leave();
    streams.closeAll();
    streams.closeAll();
    expect(ended).not.toHaveBeenCalled();
    expect(open).toHaveBeenCalledTimes(1);
    expect(streams.size).toBe(0);
  });

  const FULL = [
    { cap: 'one address', taken: ['a1', 'a2', 'a3'], refused: 'a4', free: 'b4' },
    { cap: 'one invoice', taken: ['a1', 'b1'], refused: 'c1', free: 'c2' },
    { cap: 'all', taken: ['a1', 'b2', 'c3', 'd4'], refused: 'e5', free: null },
  ];
  const parts = ([address = '', invoice = '']: string) => caller(address, invoice);

  it.each(FULL)('refuses more than may be open for $cap, as 429 with a time, and has room again after', (example) => {
    const streams = new OpenStreams(CAPS);
    const places = example.taken.map((name) => streams.take(parts(name)));
    for (const place of places.slice(1)) place.begin(() => undefined);
    expect(() => streams.take(parts(example.refused))).toThrow(
      expect.objectContaining({
        code: 'too_many_streams',
        status: 429,
        retryAfterSeconds: 15,
        message: MESSAGES.errors.too_many_streams,
      }),
    );
    if (example.free) streams.take(parts(example.free)).leave();
    places[0]?.leave();
    places[0]?.leave();
    const again = streams.take(parts(example.refused));
    expect(streams.size).toBe(example.taken.length);
    for (const place of [...places, again]) place.leave();
    expect(streams.size).toBe(0);
  });

  it('gives a place whose answer nobody reads to the next after ten seconds, and no other', () => {
    const streams = new OpenStreams({ ...CAPS, perInvoice: 3 });
    const take = (nowMs: number) => streams.take(caller('a', '1'), nowMs);
    const lookingUp = take(0);
    const unread = take(0);
    unread.answered(0);
    const read = take(0);
    read.answered(0);
    read.begin(() => undefined);
    expect(() => take(9_999)).toThrow(MESSAGES.errors.too_many_streams);
    take(10_000).answered(10_000);
    expect(() => take(10_001)).toThrow(MESSAGES.errors.too_many_streams);
    for (const place of [lookingUp, read, unread]) place.leave();
    expect(streams.size).toBe(1);
  });

  it('keeps nothing of addresses and invoices that have left', () => {
    const streams = new OpenStreams();
    const places: StreamPlace[] = [];
    for (let at = 0; at < 500; at++) places.push(streams.take(caller(`address ${at}`, `invoice ${at}`)));
    for (const place of places) place.leave();
    expect(JSON.stringify(streams, (_, value) => (value instanceof Map ? [...value] : value))).not.toMatch(
      /address \d|invoice \d/,
    );
  });
});
