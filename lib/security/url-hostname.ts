/** Host of a parsed URL as an address library wants it: an IPv6 literal without its brackets. */
export function urlHostname(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}
