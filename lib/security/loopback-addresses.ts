import ipaddr from 'ipaddr.js';

const LOOPBACK_NAME = 'localhost';

/**
 * Addresses of a host that is loopback by its own spelling; null for every other host. `localhost` never asks a resolver, and
 * a name that a resolver points at loopback is not a loopback host.
 * @param hostname of a parsed URL, IPv6 without brackets
 */
export function loopbackAddresses(hostname: string): string[] | null {
  if (hostname === LOOPBACK_NAME) return ['127.0.0.1', '::1'];
  if (ipaddr.isValid(hostname) && ipaddr.parse(hostname).range() === 'loopback') return [hostname];
  return null;
}
