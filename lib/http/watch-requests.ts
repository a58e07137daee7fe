import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { processSingleton } from '@/lib/shared/process-singleton';
import { enterAnswer } from './current-answer';

/**
 * Request header in which the web process itself writes the address of the connection. Route
 * handlers have no other sight of the socket: Next keeps an `X-Forwarded-For` that a caller made up.
 */
export const PEER_HEADER = 'x-incassa-peer';

/** Node publishes every request here before a server's own listeners see it. */
const CHANNEL = 'http.server.request.start';

/** What Node's documentation promises of a message on the channel. */
interface RequestStart {
  request: IncomingMessage;
  response: ServerResponse;
  server: Server;
}

/** A year, for this host alone: what runs beside it on other names is not ours to speak for (RFC 6797, 6.1). */
const STRICT_TRANSPORT_SECURITY = 'max-age=31536000';

interface WatchOptions {
  /** Told of each request before anybody else, with the server that it came in on (Next hands its own to nobody). */
  onRequest: (server: Server, request: IncomingMessage) => void;
  /** Customers come by https: every answer tells their browsers to come by nothing else. */
  isHttps: boolean;
}

/**
 * Writes the connection's address into `PEER_HEADER` of every incoming request, over whatever a caller put there, and
 * makes sure that its path can be decoded. Behind https every answer carries `Strict-Transport-Security`, which a built
 * application cannot say by itself: it does not know its address.
 * @returns what ends it
 */
export function watchRequests({ onRequest, isHttps }: WatchOptions): () => void {
  const onStart = (message: unknown) => {
    const { request, response, server } = message as RequestStart;
    if (isHttps) response.setHeader('Strict-Transport-Security', STRICT_TRANSPORT_SECURITY);
    enterAnswer(response);
    request.headers[PEER_HEADER] = request.socket.remoteAddress ?? '';
    request.url = readableUrl(request.url ?? '/');
    onRequest(server, request);
  };
  subscribe(CHANNEL, onStart);
  // Tells starter/web.mjs, which turns requests away until now.
  processSingleton('requests-watched', () => true);
  return () => {
    unsubscribe(CHANNEL, onStart);
  };
}

/**
 * A request's path and query as they are, or, when the path's percent signs spell no UTF-8 text ("/%E0%A4%A"), a path
 * that does not exist: Next would answer such a request with a bare 500.
 */
export function readableUrl(url: string): string {
  const [path = ''] = url.split('?', 1);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.startsWith('/api/') ? '/api/-' : '/-';
  }
}
