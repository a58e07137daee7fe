import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './client-address';

/** How long a caller may take, and how many connections one address may hold. */
export interface ConnectionLimits {
  /** From the connection, or from the last answer on it, to the end of a request's head, milliseconds. */
  headMs: number;
  /** From the end of the head to the end of the body, milliseconds. Longer than what answers with a problem. */
  bodyMs: number;
  /** Connections of one address (IPv6: /64) at a time; null when a proxy stands in front, whose address all of them have. */
  mostPerAddress: number | null;
  /** Connections in all. */
  most: number;
}

/** Node publishes each connection here that a server takes, and each request whose head is complete. */
const SOCKETS = 'net.server.socket';
const STARTS = 'http.server.request.start';
const FINISHES = 'http.server.response.finish';

interface ServedSocket extends Socket {
  /** Set by Node on every connection of an HTTP server. */
  server?: Server;
}

/**
 * Cuts off who holds connections without asking anything: heads and bodies that trickle, and more connections of one
 * address than a house full of browsers needs. Next makes its server with Node's own times (60 s for a head, 300 s for a
 * request, looked at every 30 s) and hands it to nobody; Node announces its connections.
 * @returns what ends the watch
 */
export function guardConnections(limits: ConnectionLimits): () => void {
  const connections = new Connections(limits);
  const onSocket = (message: unknown) => connections.opened((message as { socket: ServedSocket }).socket);
  const onStart = (message: unknown) => connections.asked((message as { request: IncomingMessage }).request);
  const onFinish = (message: unknown) => connections.answered((message as { request: IncomingMessage }).request);
  subscribe(SOCKETS, onSocket);
  subscribe(STARTS, onStart);
  subscribe(FINISHES, onFinish);
  return () => {
    unsubscribe(SOCKETS, onSocket);
    unsubscribe(STARTS, onStart);
    unsubscribe(FINISHES, onFinish);
    connections.forget();
  };
}

/** What is known of a connection. */
interface Connection {
  address: string;
  /** Runs while a head or a body is waited for. */
  timer: NodeJS.Timeout | undefined;
  waitsFor: 'head' | 'body' | 'nothing';
  /** Requests that are not answered yet: more than one when the caller sends them ahead. */
  asked: number;
}

class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #perAddress = new Map<string, number>();

  constructor(private readonly limits: ConnectionLimits) {}

  opened(socket: ServedSocket): void {
    const address = networkOf(socket.remoteAddress) ?? 'unknown';
    const count = (this.#perAddress.get(address) ?? 0) + 1;
    const { mostPerAddress, most, headMs } = this.limits;
    if ((mostPerAddress !== null && count > mostPerAddress) || this.#open.size >= most) {
      socket.destroy();
      return;
    }
    this.#perAddress.set(address, count);
    this.#open.set(socket, { address, timer: undefined, waitsFor: 'nothing', asked: 0 });
    socket.once('close', () => this.#closed(socket));
    this.#waitFor('head', socket, headMs);
  }

  /** The head is there. Only a body that is announced is waited for. */
  asked(request: IncomingMessage): void {
    const { socket, headers } = request;
    const connection = this.#open.get(socket);
    if (!connection) return;
    connection.asked++;
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
    this.#waitFor(hasBody ? 'body' : 'nothing', socket, hasBody ? this.limits.bodyMs : undefined);
    if (!hasBody) return;
    request.once('end', () => {
      if (connection.waitsFor === 'body') this.#waitFor('nothing', socket);
    });
  }

  /** The connection stays open for another request, which has its time after the pause that Node allows. */
  answered({ socket }: IncomingMessage): void {
    const connection = this.#open.get(socket);
    if (!connection || --connection.asked > 0) return;
    const pauseMs = (socket as ServedSocket).server?.keepAliveTimeout ?? 0;
    this.#waitFor('head', socket, pauseMs + this.limits.headMs);
  }

  /** Waits for nobody any more. */
  forget(): void {
    for (const { timer } of this.#open.values()) clearTimeout(timer);
    this.#open.clear();
  }

  #waitFor(what: Connection['waitsFor'], socket: Socket, ms?: number): void {
    const connection = this.#open.get(socket);
    if (!connection) return;
    clearTimeout(connection.timer);
    connection.waitsFor = what;
    connection.timer = ms === undefined ? undefined : setTimeout(() => cut(socket), ms).unref();
  }

  #closed(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (!connection) return;
    clearTimeout(connection.timer);
    this.#open.delete(socket);
    const left = (this.#perAddress.get(connection.address) ?? 1) - 1;
    if (left === 0) this.#perAddress.delete(connection.address);
    else this.#perAddress.set(connection.address, left);
  }
}

/** As Node does with a request that is late for itself. */
function cut(socket: Socket): void {
  if (socket.writable && socket.bytesWritten === 0)
    socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  socket.destroy();
}
