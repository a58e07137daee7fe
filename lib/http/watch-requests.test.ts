import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { PEER_HEADER, readableUrl, watchRequests } from './watch-requests';

let server: Server | undefined;
afterEach(() => server?.close());

async function listen(listener: RequestListener): Promise<{ listening: Server; url: string }> {
  const listening = createServer(listener);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return { listening, url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}` };
}

describe('watchRequests', () => {
  it("writes the connection's own address over what a caller claims, and names the server", async () => {
    const seen = new Set<Server>();
    const end = watchRequests({ onRequest: (each) => seen.add(each), isHttps: false });
    const { listening, url } = await listen((request, response) => response.end(request.headers[PEER_HEADER]));

    const response = await fetch(url, { headers: { [PEER_HEADER]: '198.51.100.1' } });
    expect(await response.text()).toBe('127.0.0.1');
    expect(seen.has(listening)).toBe(true);

    end();
    const after = await fetch(url, { headers: { [PEER_HEADER]: '198.51.100.1' } });
    expect(await after.text()).toBe('198.51.100.1');
  });

  it.each([
    { isHttps: true, said: 'max-age=31536000' },
    { isHttps: false, said: null },
  ])('asks browsers to stay with https, only where customers come by it ($isHttps)', async ({ isHttps, said }) => {
    const end = watchRequests({ onRequest: () => undefined, isHttps });
    const { url } = await listen((_, response) => response.writeHead(404, { 'x-other': '1' }).end());
    const { headers } = await fetch(url).finally(end);
    expect(headers.get('strict-transport-security')).toBe(said);
    expect(headers.get('x-other')).toBe('1');
  });
});

describe('readableUrl', () => {
  it.each(['/', '/api/invoices?searchKeyword=100%', '/pay/%C3%A8', '*'])('leaves %s as it is', (url) => {
    expect(readableUrl(url)).toBe(url);
  });

  it('makes a path that cannot be decoded one that does not exist, on the same side of /api', () => {
    expect(readableUrl('/api/auth/me%')).toBe('/api/-');
    expect(readableUrl('/pay/%E0%A4%A?x=1')).toBe('/-');
  });
});
