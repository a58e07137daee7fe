import { createServer } from 'node:net';

/**
 * Finds a TCP port on loopback that nothing listens on at this moment.
 *
 * @param preferred port to take when it is still free, so that addresses stay the same from one start to the next
 * @returns the port; nothing reserves it, so a caller that loses the race asks again
 */
export async function findFreePort(preferred?: number): Promise<number> {
  if (preferred !== undefined) {
    const kept = await listenOnce(preferred).catch(() => undefined);
    if (kept !== undefined) return kept;
  }
  return listenOnce(0);
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('the system named no port'));
        else resolve(address.port);
      });
    });
  });
}
