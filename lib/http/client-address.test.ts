import { describe, expect, it } from 'vitest';
import { clientAddress } from './client-address';
import { PEER_HEADER } from './watch-requests';

const headers = (peer: string | null, forwarded?: string) =>
  new Headers({ ...(peer && { [PEER_HEADER]: peer }), ...(forwarded && { 'X-Forwarded-For': forwarded }) });

describe('clientAddress', () => {
  it('ignores X-Forwarded-For when no proxy is trusted: any caller can write it', () => {
    expect(clientAddress(headers('203.0.113.9', '198.51.100.1'), 0)).toBe('203.0.113.9');
  });

  it('takes the entry that the outermost trusted proxy appended, whatever a caller put before it', () => {
    expect(clientAddress(headers('10.0.0.1', '1.1.1.1, 198.51.100.7'), 1)).toBe('198.51.100.7');
    expect(clientAddress(headers('10.0.0.1', '1.1.1.1, 198.51.100.7, 10.0.0.2'), 2)).toBe('198.51.100.7');
  });

  it('falls back to the connection when the header is shorter than the chain of proxies, or no address', () => {
    expect(clientAddress(headers('203.0.113.9', '198.51.100.1'), 2)).toBe('203.0.113.9');
    expect(clientAddress(headers('203.0.113.9', 'localhost'), 1)).toBe('203.0.113.9');
    expect(clientAddress(headers(null), 1)).toBe('unknown');
  });

  it('spells one caller one way: mapped IPv4 as IPv4, IPv6 by its /64', () => {
    expect(clientAddress(headers('::ffff:203.0.113.9'), 0)).toBe('203.0.113.9');
    expect(clientAddress(headers('2001:db8:1:2:aaaa::1'), 0)).toBe(clientAddress(headers('2001:db8:1:2:bbbb::9'), 0));
    expect(clientAddress(headers('2001:db8:1:3::1'), 0)).not.toBe(clientAddress(headers('2001:db8:1:2::1'), 0));
  });
});
