import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Cuts a connection over which nothing moved for a while: neither the caller's request nor its answer. A caller who takes
 * nothing any more keeps an answer waiting for ever otherwise, since nobody can write to it nor end it.
 * @param socket the connection that a request came in on; later ones of the server are cut alike
 * @param stalledMs longer than any answer takes, and than a quiet event stream is silent
 */
export function cutStalled(server: Server, socket: Socket, stalledMs: number): void {
  // Node gives the server's time to new connections, and to one that is used again.
  server.timeout = stalledMs;
  socket.setTimeout(stalledMs);
}
