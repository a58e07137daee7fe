import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PlainProxy {
  /** Where it listens. */
  url: string;
  /** Answers this status by itself from now on, as a proxy does whose server is away; null passes on again. */
  answerWith(status: number | null): void;
  close(): Promise<void>;
}

/**
 * A proxy that does what nginx's `proxy_pass` does when nothing else is said: the server behind it sees the proxy's own
 * name for it as `Host`, and nothing that says where the browser is.
 *
 * @param target base URL of the server behind it
 */
export async function startPlainProxy(target: string): Promise<PlainProxy> {
  let status: number | null = null;
  const server = createServer((incoming, outgoing) => {
    if (status !== null) {
      outgoing.writeHead(status).end();
      return;
    }
    const { host: _, connection: __, ...headers } = incoming.headers;
    const { method, url } = incoming;
    const upstream = request(new URL(url ?? '/', target), { method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    upstream.on('error', () => outgoing.destroy());
    outgoing.on('close', () => upstream.destroy());
    incoming.pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    answerWith: (given) => {
      status = given;
      // Streams that are open end with it.
      if (given !== null) server.closeAllConnections();
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
