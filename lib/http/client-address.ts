import ipaddr from 'ipaddr.js';
import { PEER_HEADER } from './watch-requests';

const UNKNOWN = 'unknown';

/**
 * The caller's network address, for rate limits and the record, in one spelling: IPv4, or the /64 of an IPv6 address,
 * because one customer's line has all of that.
 *
 * `X-Forwarded-For` is what any caller can write, so it counts only from the right, where each trusted proxy appended
 * the address that it was called from: with n of them the n-th entry from the right is the caller. With none, and when
 * the header has fewer entries (the caller went around a proxy), it is the address of the connection.
 * @param trustedProxies how many proxies stand in front of this process (`TRUSTED_PROXIES`)
 */
export function clientAddress(headers: Headers, trustedProxies = 0): string {
  const forwarded = (headers.get('x-forwarded-for') ?? '').split(',');
  const entry = trustedProxies > 0 ? forwarded.at(-trustedProxies) : undefined;
  return networkOf(entry?.trim()) ?? networkOf(headers.get(PEER_HEADER)?.trim()) ?? UNKNOWN;
}

/** An address in the one spelling that is counted by: IPv4, or the /64 of an IPv6 address. Null for what is none. */
export function networkOf(text: string | undefined): string | null {
  if (!text || !ipaddr.isValid(text)) return null;
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/64`).toString()}/64`;
}
