import type { IncomingHttpHeaders } from 'node:http';

/**
 * Makes the framework see the host that the browser sees. Next runs the form of a page only when `Origin` and `Host`
 * name the same host; a proxy that passes no `Host` on (nginx's default) puts its own name for this process there. The
 * origin is ours when it is the public address, or when the browser itself says that the page and its target are of one
 * origin (`Sec-Fetch-Site`, which no script can write). A form of any other origin stays refused.
 * @param headers of an incoming request; changed in place
 * @param publicAddress `PUBLIC_URL`
 */
export function restoreHost(headers: IncomingHttpHeaders, publicAddress: string): void {
  const { origin } = headers;
  if (origin === undefined || !URL.canParse(origin)) return;
  const { host } = new URL(origin);
  const isOurs = host === new URL(publicAddress).host || headers['sec-fetch-site'] === 'same-origin';
  if (!isOurs || host === '') return;
  headers.host = host;
  delete headers['x-forwarded-host'];
}

/**
 * @param trustedProxies how many proxies stand in front of this process (`TRUSTED_PROXIES`)
 * @param warn called once, with the first request that shows that a proxy is in front and nothing says so
 * @returns looks at the headers of one request
 */
export function forwardingCheck(
  trustedProxies: number | undefined,
  warn: (message: string) => void,
): (headers: IncomingHttpHeaders) => void {
  let isDone = Boolean(trustedProxies);
  return (headers) => {
    if (isDone || headers['x-forwarded-for'] === undefined) return;
    isDone = true;
    warn(
      'X-Forwarded-For arrives and TRUSTED_PROXIES trusts no proxy: if one is in front, all callers count as one address, and its limits as theirs',
    );
  };
}
