import { createServer } from 'node:net';
import { StartError } from './start-error';

/**
 * Makes sure that the public port is free, on the address that is asked for and on the others: one that listens there
 * would answer in the place of this instance, whose name may mean either.
 *
 * @param host address that web is to listen on
 * @throws {StartError} when something listens on it or this user may not take it
 */
export async function checkPort(port: number, host: string): Promise<void> {
  for (const address of [undefined, host]) {
    const code = await listenOnce(port, address);
    if (code === undefined) continue;
    if (code === 'EADDRNOTAVAIL') throw new StartError(`HOST ${host} is no address of this machine.`);
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
