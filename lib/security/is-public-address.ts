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
