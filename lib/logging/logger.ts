import { pino } from 'pino';
import { env } from '@/lib/config/env';

/** Names under which secrets could reach a log line, at any of the first levels. */
const SECRET_NAMES = [
  'password',
  'passwordHash',
  'token',
  'access_token',
  'authorization',
  'secret',
  'key',
  'apiKey',
  'x-api-key',
  'seed',
  'mnemonic',
  'kek',
  'privateKey',
];

/** JSON logger of a process; secrets are cut out wherever they hide under a known name. */
export function createLogger(name: string) {
  return pino({
    name,
    level: env().LOG_LEVEL,
    redact: {
      paths: SECRET_NAMES.flatMap((secret) => [`["${secret}"]`, `*["${secret}"]`, `*.*["${secret}"]`]),
      censor: '[redacted]',
    },
  });
}
export type Logger = ReturnType<typeof createLogger>;
