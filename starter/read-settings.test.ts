import { expect, test } from 'vitest';
import { readSettings } from './read-settings';
import { StartError } from './start-error';

const read = (source: Record<string, string>) => readSettings('/clone', source);

const PRODUCTION = {
  INCASSA_MODE: 'production',
  DATABASE_URL: 'postgresql://owner@db/incassa',
  WEB_DATABASE_URL: 'postgresql://web@db/incassa',
  WATCHER_DB_PASSWORD: 'a-password-of-16-characters',
  DISPATCHER_DB_PASSWORD: 'a-password-of-16-characters',
  SIGNER_DB_PASSWORD: 'a-password-of-16-characters',
  AUTH_SECRET: 'x'.repeat(32),
  APP_SEAL_KEY: Buffer.alloc(32).toString('base64'),
  KEK_FILE: '/run/secrets/kek',
  PUBLIC_URL: 'https://cassa.example',
  TRUSTED_PROXIES: '1',
  ETH_RPC_URL: 'https://node.example',
  SMTP_URL: 'smtps://mail.example',
};

test('without any variable everything is embedded', () => {
  expect(read({})).toEqual({
    mode: 'embedded',
    host: '127.0.0.1',
    isPrivate: true,
    port: 3000,
    url: 'http://127.0.0.1:3000',
    dataDir: '/clone/.data',
    publicUrl: 'http://localhost:3000',
    logLevel: 'info',
    databaseUrl: undefined,
    embedded: { chains: ['ethereum'], kraken: true, binance: true, mail: true },
  });
});

test('what is configured is not embedded', () => {
  const { embedded } = read({ ETH_RPC_URL: 'https://node.example', SMTP_URL: '', KRAKEN_URL: 'https://k.example' });
  expect(embedded).toEqual({ chains: [], kraken: false, binance: true, mail: true });
});

test.each([
  ['', true, 'http://127.0.0.1:3000'],
  ['localhost', true, 'http://localhost:3000'],
  ['127.0.0.2', true, 'http://127.0.0.2:3000'],
  ['::1', true, 'http://[::1]:3000'],
  ['0.0.0.0', false, 'http://127.0.0.1:3000'],
  ['::', false, 'http://127.0.0.1:3000'],
  ['192.0.2.7', false, 'http://192.0.2.7:3000'],
])('HOST "%s" is for this machine alone: %s, which reaches it at %s', (host, isPrivate, url) => {
  expect(read({ HOST: host })).toMatchObject({ host: host || '127.0.0.1', isPrivate, url });
});

test.each([
  ['HOST', 'cassa.example'],
  ['PORT', 'abc'],
  ['PORT', '70000'],
  ['LOG_LEVEL', 'loud'],
  ['ETH_RPC_URL', 'node.example'],
  ['APP_SEAL_KEY', 'short'],
  ['INCASSA_MODE', 'demo'],
])('a bad %s (%s) is one sentence that names it', (name, value) => {
  const act = () => read({ [name]: value });
  expect(act).toThrow(StartError);
  expect(act).toThrow(name);
  expect(act).not.toThrow('\n');
});

test('production refuses every embedded default, in one sentence that lists all that is missing', () => {
  expect(() => read({ INCASSA_MODE: 'production', AUTH_SECRET: PRODUCTION.AUTH_SECRET })).toThrow(
    'INCASSA_MODE=production needs DATABASE_URL, WEB_DATABASE_URL or WEB_DB_PASSWORD, WATCHER_DATABASE_URL or ' +
      'WATCHER_DB_PASSWORD, DISPATCHER_DATABASE_URL or DISPATCHER_DB_PASSWORD, SIGNER_DATABASE_URL or ' +
      'SIGNER_DB_PASSWORD, PUBLIC_URL, APP_SEAL_KEY, SMTP_URL, KEK_FILE or KEK, ETH_RPC_URL.',
  );
  for (const name of Object.keys(PRODUCTION)) {
    if (name === 'INCASSA_MODE') continue;
    expect(() => read({ ...PRODUCTION, [name]: '' })).toThrow(name);
  }
});

test('production embeds nothing and refuses what is safe on a local chain only', () => {
  expect(read(PRODUCTION).embedded).toEqual({ chains: [], kraken: false, binance: false, mail: false });
  expect(() => read({ ...PRODUCTION, WEBHOOK_ALLOW_LOOPBACK: '1' })).toThrow('does not allow WEBHOOK_ALLOW_LOOPBACK=1');
  expect(() => read({ ...PRODUCTION, ETH_DEVNET: '1' })).toThrow('does not allow ETH_DEVNET=1');
});
