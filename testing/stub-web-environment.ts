import { vi } from 'vitest';

/** Secrets of a test's web process, to look for where they must not be. */
export const TEST_AUTH_SECRET = 'auth-secret-of-a-test-0123456789abcdef';
export const TEST_SEAL_KEY = Buffer.alloc(32, 7);

/**
 * Gives a test the environment of a web process. Call it before anything reads the environment, which is read once.
 * @param databaseUrl what `WEB_DATABASE_URL` becomes: `roleUrl('web')` of a test database
 * @param variables further ones, or other values
 */
export function stubWebEnvironment(databaseUrl: string, variables: Record<string, string> = {}): void {
  const all = {
    WEB_DATABASE_URL: databaseUrl,
    AUTH_SECRET: TEST_AUTH_SECRET,
    APP_SEAL_KEY: TEST_SEAL_KEY.toString('base64'),
    REGISTRATION: 'open',
    LOG_LEVEL: 'silent',
    WEBHOOK_ALLOW_LOOPBACK: '1',
    ...variables,
  };
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
}
