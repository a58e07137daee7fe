import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventFrame, eventStream } from './event-stream';
import { OpenStreams } from './open-streams';

const frame = (value: unknown) => eventFrame('invoice', value);

/** A stream over a source that the test drives. */
function makeStream({ subscribeFails = false } = {}) {
  const streams = new OpenStreams();
  const caller = new AbortController();
  const unsubscribe = vi.fn();
  let send: (frame: Uint8Array) => void = () => undefined;
  const subscribe = vi.fn((given: typeof send) => {
    if (subscribeFails) throw new Error('no database');
    send = given;
    return unsubscribe;
  });
  const place = streams.take({ address: 'a', invoice: '1' });
  const request = new Request('http://localhost:3000/', { signal: caller.signal });
  const response = eventStream({ request, place, subscribe });
  const reader = () => (response.body as ReadableStream<Uint8Array>).getReader();
  return { response, reader, caller, streams, subscribe, unsubscribe, send: (next: Uint8Array) => send(next) };
}

const text = ({ value }: ReadableStreamReadResult<Uint8Array>) => new TextDecoder().decode(value);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  expect(vi.getTimerCount(), 'every timer ends with its stream').toBe(0);
  vi.useRealTimers();
});

describe('eventStream', () => {
  it('opens nothing before it is read: no subscription and no timer', async () => {
    const { subscribe, response } = makeStream();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(subscribe).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  });

  it('asks proxies neither to keep it back nor to repack it', async () => {
    const { headers } = makeStream().response;
    expect(headers.get('x-accel-buffering')).toBe('no');
    expect(headers.get('cache-control')).toBe('no-store, no-transform');
  });

  it('sends an event as soon as there is one, and a comment when there was none for a while', async () => {
    const { reader, send, caller } = makeStream();
    const events = reader();
    const first = events.read();
    await vi.advanceTimersByTimeAsync(0);
    send(frame({ status: 'pending' }));
    expect(text(await first)).toBe('event: invoice\ndata: {"status":"pending"}\n\n');
    const second = events.read();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(text(await second)).toBe(': \n\n');
    caller.abort();
  });

  it('keeps one frame for a caller who does not read: the newest', async () => {
    const { reader, send, caller } = makeStream();
    const events = reader();
    const first = events.read();
    await vi.advanceTimersByTimeAsync(0);
    send(frame(0));
    await first;
    for (let at = 1; at <= 10_000; at++) send(frame(at));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(text(await events.read())).toBe('event: invoice\ndata: 10000\n\n');
    const next = events.read();
    await vi.advanceTimersByTimeAsync(0);
    send(frame('new'));
    expect(text(await next)).toContain('"new"');
    caller.abort();
  });

  it.each(['the caller goes', 'the reader lets go', 'the process stops', 'a quarter of an hour is over'])(
    'ends, once and wholly, when %s',
    async (how) => {
      const { reader, caller, streams, unsubscribe, send } = makeStream();
      const events = reader();
      const read = events.read();
      await vi.advanceTimersByTimeAsync(0);
      if (how === 'the caller goes') caller.abort();
      if (how === 'the reader lets go') await events.cancel();
      if (how === 'the process stops') streams.closeAll();
      if (how.startsWith('a quarter')) {
        for (let waited = 0; waited < 15 * 60; waited += 20) {
          await vi.advanceTimersByTimeAsync(20_000);
          if (waited === 0) await read;
        }
      }
      while (!(await events.read()).done);
      caller.abort();
      streams.closeAll();
      send(frame('late'));
      expect(unsubscribe).toHaveBeenCalledTimes(1);
      expect(streams.size).toBe(0);
    },
  );

  it('gives its place back when the caller goes before it is read', async () => {
    const { caller, streams, subscribe, reader } = makeStream();
    expect(streams.size).toBe(1);
    caller.abort();
    expect(streams.size).toBe(0);
    expect(await reader().read()).toEqual({ done: true, value: undefined });
    expect(subscribe).not.toHaveBeenCalled();
  });

  it('gives its place back when its news cannot be had', async () => {
    const { streams, reader } = makeStream({ subscribeFails: true });
    await expect(reader().read()).rejects.toThrow('no database');
    expect(streams.size).toBe(0);
  });
});
