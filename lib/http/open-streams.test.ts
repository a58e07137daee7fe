import { describe, expect, it, vi } from 'vitest';
import { openStreams } from './open-streams';

describe('openStreams', () => {
  it('ends each stream that is still open, once', () => {
    const [ended, open] = [vi.fn(), vi.fn()];
    const leave = openStreams.register(ended);
    openStreams.register(open);
    leave();
    openStreams.closeAll();
    openStreams.closeAll();
    expect(ended).not.toHaveBeenCalled();
    expect(open).toHaveBeenCalledTimes(1);
  });
});
