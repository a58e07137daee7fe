import { createServer } from 'node:net';
import { StartError } from './start-error';

/**
 * Makes sure that the public port is free.
 *
 * @throws {StartError} when something listens on it or this user may not take it
 */
export async function checkPort(port: number): Promise<void> {
  for (const host of [undefined, '127.0.0.1']) {
    const code = await listenOnce(port, host);
    if (code === undefined) continue;
    const why = code === 'EADDRINUSE' ? 'is in use' : `cannot be taken (${code})`;
    throw new StartError(`PORT ${port} ${why}: stop what listens there, or choose another port with PORT.`);
  }
}

function listenOnce(port: number, host: string | undefined): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => server.close(() => resolve(undefined)));
  });
}
