import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server } from 'node:http';
import { PEER_HEADER } from './peer-header';
import { readableUrl } from './readable-url';

/** Node publishes every request here before a server's own listeners see it. */
const CHANNEL = 'http.server.request.start';

/** What Node's documentation promises of a message on the channel. */
interface RequestStart {
  request: IncomingMessage;
  server: Server;
}

/**
 * Writes the connection's address into `PEER_HEADER` of every incoming request, over whatever a caller put there, and
 * makes sure that its path can be decoded.
 * @param onServer told which server the request came in on (Next hands its own to nobody)
 * @returns what ends it
 */
export function watchRequests(onServer: (server: Server) => void): () => void {
  const onStart = (message: unknown) => {
    const { request, server } = message as RequestStart;
    request.headers[PEER_HEADER] = request.socket.remoteAddress ?? '';
    request.url = readableUrl(request.url ?? '/');
    onServer(server);
  };
  subscribe(CHANNEL, onStart);
  return () => {
    unsubscribe(CHANNEL, onStart);
  };
}
