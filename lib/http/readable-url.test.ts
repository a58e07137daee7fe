import { describe, expect, it } from 'vitest';
import { readableUrl } from './readable-url';

describe('readableUrl', () => {
  it.each(['/', '/api/invoices?searchKeyword=100%', '/pay/%C3%A8', '*'])('leaves %s as it is', (url) => {
    expect(readableUrl(url)).toBe(url);
  });

  it('makes a path that cannot be decoded one that does not exist, on the same side of /api', () => {
    expect(readableUrl('/api/auth/me%')).toBe('/api/-');
    expect(readableUrl('/pay/%E0%A4%A?x=1')).toBe('/-');
  });
});
