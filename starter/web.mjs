// `npm run web`, and the web process of `npm start` and of the container: `next start` as the product needs it.
import { subscribe } from 'node:diagnostics_channel';
import { isIP } from 'node:net';

const { HOST = '', PORT = '' } = process.env;

// Next binds before it asks the product whether its configuration is good, so that this one is looked at here too.
if (HOST !== '' && HOST !== 'localhost' && isIP(HOST) === 0) {
  console.error('Bad configuration: HOST must be an IP address or localhost.');
  process.exit(1);
}
// Next would read `.env` files of the working folder, and whatever secrets of other processes stand there; it takes them
// for read when this is set (loadEnvConfig of @next/env). foreign-secrets.ts stands behind it.
process.env.__NEXT_PROCESSED_ENV = 'true';
// Next's own signal handling would wait for open event streams for ever.
process.env.NEXT_MANUAL_SIG_HANDLE = '1';
// Next takes requests before the product watches them (lib/http/watch-requests.ts): such a caller gets what one a moment
// earlier got, when nobody listened.
const WATCHED = Symbol.for('incassa.requests-watched');
subscribe('http.server.request.start', (message) => {
  if (!(WATCHED in globalThis)) message.request.socket.destroy();
});
process.argv.splice(2, process.argv.length, 'start', '--hostname', HOST || '127.0.0.1', '--port', PORT || '3000');
await import('next/dist/bin/next');
