import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { PEER_HEADER } from './peer-header';
import { watchRequests } from './watch-requests';

let server: Server | undefined;
afterEach(() => server?.close());

describe('watchRequests', () => {
  it("writes the connection's own address over what a caller claims, and names the server", async () => {
    const seen = new Set<Server>();
    const end = watchRequests((each) => seen.add(each));
    const listening = createServer((request, response) => response.end(request.headers[PEER_HEADER]));
    server = listening;
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;

    const response = await fetch(url, { headers: { [PEER_HEADER]: '198.51.100.1' } });
    expect(await response.text()).toBe('127.0.0.1');
    expect(seen.has(listening)).toBe(true);

    end();
    const after = await fetch(url, { headers: { [PEER_HEADER]: '198.51.100.1' } });
    expect(await after.text()).toBe('198.51.100.1');
  });
});
