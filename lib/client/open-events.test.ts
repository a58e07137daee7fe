import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openEvents } from './open-events';

/** The browser's part, played by the test. */
class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  static all: FakeEventSource[] = [];
  readyState = 0;

  constructor(readonly url: string) {
    super();
    FakeEventSource.all.push(this);
  }

  close() {
    this.readyState = 2;
  }

  /** An answer other than 200: the browser gives up. */
  refuse() {
    this.readyState = 2;
    this.dispatchEvent(new Event('error'));
  }

  /** The stream ended: the browser opens it again by itself. */
  end() {
    this.readyState = 0;
    this.dispatchEvent(new Event('error'));
  }

  send(data: string) {
    this.dispatchEvent(new MessageEvent('invoice', { data }));
  }
}

const opened = () => FakeEventSource.all.length;
const newest = () => FakeEventSource.all.at(-1);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', FakeEventSource);
  FakeEventSource.all = [];
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('openEvents', () => {
  it('hands on what arrives, and leaves a stream that ended to the browser', () => {
    const onData = vi.fn();
    openEvents('/events', 'invoice', onData);
    newest()?.send('one');
    newest()?.end();
    vi.advanceTimersByTime(300_000);
    newest()?.send('two');
    expect(onData.mock.calls).toEqual([['one'], ['two']]);
    expect(opened()).toBe(1);
  });

  it('opens a stream again that was refused, each time later, and at least once a minute', () => {
    openEvents('/events', 'invoice', () => undefined);
    newest()?.refuse();
    vi.advanceTimersByTime(400);
    expect(opened(), 'not at once').toBe(1);
    for (let refused = 1; refused <= 10; refused++) {
      vi.advanceTimersByTime(60_000);
      expect(opened()).toBe(refused + 1);
      newest()?.refuse();
    }
    vi.advanceTimersByTime(25_000);
    expect(opened(), 'after many refusals not soon').toBe(11);
  });

  it('begins anew with short waits once news arrived', () => {
    openEvents('/events', 'invoice', () => undefined);
    for (let refused = 0; refused < 10; refused++) {
      newest()?.refuse();
      vi.advanceTimersByTime(60_000);
    }
    newest()?.send('back');
    newest()?.refuse();
    vi.advanceTimersByTime(1_000);
    expect(opened()).toBe(12);
  });

  it('opens nothing more once it is ended', () => {
    const end = openEvents('/events', 'invoice', () => undefined);
    newest()?.refuse();
    end();
    vi.advanceTimersByTime(300_000);
    expect(opened()).toBe(1);
    expect(newest()?.readyState).toBe(2);
  });
});
