/**
 * Request header in which the web process itself writes the address of the connection (stamp-peer-address.ts). Route
 * handlers have no other sight of the socket: Next keeps an `X-Forwarded-For` that a caller made up.
 */
export const PEER_HEADER = 'x-incassa-peer';
