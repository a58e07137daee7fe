import ipaddr from 'ipaddr.js';

/**
 * Ranges that ipaddr.js calls unicast and that lead inside: the deprecated IPv4-compatible block (`::127.0.0.1`) and the
 * host agent of Azure's virtual machines.
 */
const DENIED: [ipaddr.IPv4 | ipaddr.IPv6, number][] = [
  ipaddr.parseCIDR('::/96') as [ipaddr.IPv6, number],
  ipaddr.parseCIDR('168.63.129.16/32') as [ipaddr.IPv4, number],
];

/**
 * Is this IP address one that anybody on the internet may own? Private, loopback, link-local, carrier-grade NAT, multicast,
 * reserved and documentation ranges are not, nor is any IPv6 form that embeds an IPv4 address for a translator (NAT64, 6to4,
 * Teredo), even of a public one. An IPv4-mapped address counts as the IPv4 address in it.
 * @param address text of an address; anything else is not public
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return !DENIED.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits));
}

const LOOPBACK_NAME = 'localhost';

/**
 * Addresses of a host that is loopback by its own spelling; null for every other host. `localhost` never asks a resolver, and
 * a name that a resolver points at loopback is not a loopback host.
 * @param hostname as `urlHostname` gives it
 */
export function loopbackAddresses(hostname: string): string[] | null {
  if (hostname === LOOPBACK_NAME) return ['127.0.0.1', '::1'];
  if (ipaddr.isValid(hostname) && ipaddr.parse(hostname).range() === 'loopback') return [hostname];
  return null;
}

/** Host of a parsed URL as an address library wants it: an IPv6 literal without its brackets. */
export function urlHostname(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}
