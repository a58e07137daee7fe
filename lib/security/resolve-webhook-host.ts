import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import { isPublicAddress, loopbackAddresses, urlHostname } from './host-address';
import type { WebhookUrlPolicy } from './webhook-url-policy';

/** A host that leads, or now leads, where this instance must not connect. */
export class RefusedAddressError extends Error {
  constructor(hostname: string, address: string | undefined) {
    super(
      address === undefined ? `${hostname} has no address.` : `${hostname} leads to ${address}, which is not public.`,
    );
    this.name = 'RefusedAddressError';
  }
}

/** Turns a name into all its addresses, IPv4 and IPv6. Throws when it has none. */
export type ResolveName = (name: string) => Promise<string[]>;

/** Two tries of 2 s: a resolver that answers later would eat the time of the delivery itself. */
const RESOLVER = { timeout: 2_000, tries: 2 };

/**
 * The addresses that a delivery to this URL may connect to, and no others. Call it for each attempt and connect to what it
 * returns: between two look-ups a name may move.
 * @throws RefusedAddressError when any address of the host is not public (or not the loopback that the policy allows)
 * @throws Error of the resolver
 */
export async function resolveWebhookHost(
  url: URL,
  policy: WebhookUrlPolicy,
  resolveName: ResolveName = resolveByDns,
): Promise<LookupAddress[]> {
  const hostname = urlHostname(url);
  const loopback = policy.allowLoopback ? loopbackAddresses(hostname) : null;
  if (loopback) return loopback.map(toLookupAddress);
  const addresses = ipaddr.isValid(hostname) ? [hostname] : await resolveName(hostname);
  const refused = addresses.find((address) => !isPublicAddress(address));
  if (refused !== undefined || addresses.length === 0) throw new RefusedAddressError(hostname, refused);
  return addresses.map(toLookupAddress);
}

function toLookupAddress(address: string): LookupAddress {
  return { address, family: ipaddr.parse(address).kind() === 'ipv6' ? 6 : 4 };
}

/** Asks name servers directly: the system's resolver has four threads for the whole process, and a slow name holds one. */
async function resolveByDns(name: string): Promise<string[]> {
  const resolver = new Resolver(RESOLVER);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
  return found;
}
