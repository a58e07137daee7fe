/** What Node says of a peer that cannot be reached, or went away (errno(3)). */
const NETWORK =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENOTFOUND|EAI_AGAIN)$/;

/**
 * SQLSTATE of a server that cannot serve now (PostgreSQL documentation, appendix A): a connection that failed (08), resources
 * that ran out (53), a server that stops or starts (57P01 to 57P03), and what it cut off because it took too long: a
 * statement (57014), a wait for a lock (55P03), an idle transaction (25P03).
 */
const SQLSTATE = /^(08...|53...|57P0[1-3]|57014|55P03|25P03)$/;

/** The same from Prisma's client (its documentation, error reference). */
const PRISMA = /^(P1001|P1002|P1008|P1011|P1017|P2024|P2037)$/;

/** Errors of the driver that carry no code (pg, lib/client.js; pg-pool, index.js). */
const DRIVER =
  /Query read timeout|timeout exceeded when trying to connect|Connection terminated|timeout expired|Client (has encountered a connection error|was closed) and is not queryable/;

/** Causes within causes; more than a driver, an adapter and a client have between them. */
const DEEPEST = 6;

/**
 * Whether an error says that the database does not answer, or not in time, rather than that something is wrong with what it
 * was asked: the same request may work in a moment. Whether it was carried out is not known.
 */
export function isDatabaseDown(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > DEEPEST) return false;
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown };
  if (typeof code === 'string' && (NETWORK.test(code) || SQLSTATE.test(code) || PRISMA.test(code))) return true;
  if (typeof message === 'string' && DRIVER.test(message)) return true;
  return isDatabaseDown(cause, depth + 1);
}

/** Whether a connection may be used no more after an error: the server did not say it, so nobody knows where they are. */
export function isConnectionLost(error: unknown): boolean {
  return isDatabaseDown(error) && !(typeof error === 'object' && error !== null && 'severity' in error);
}
