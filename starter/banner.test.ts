import { expect, test } from 'vitest';
import { banner } from './banner';
import type { Instance } from './instance';

const devnet = {
  url: 'http://127.0.0.1:4001',
  controlToken: 'c'.repeat(43),
  chains: ['ethereum' as const],
  venues: ['Kraken'],
};
const embedded: Instance = {
  pid: 2,
  startedAt: 'boot/1',
  mode: 'embedded',
  url: 'http://127.0.0.1:3000',
  publicUrl: 'http://localhost:3000',
  listensOn: { host: '127.0.0.1', isPrivate: true },
  dataDir: '/clone/.data',
  devnet,
  inboxUrl: 'http://127.0.0.1:4002',
  smtpUrl: 'smtp://127.0.0.1:4003',
  databaseUrl: 'postgresql://owner:secret@127.0.0.1:4004/incassa',
  demoMerchant: { email: 'demo@incassa.example', password: 'demo-password' },
  processes: {},
};
const embeddedLine = (instance: Instance) => /Embedded +(.*)/.exec(banner(instance, 4.21))?.[1];

test('the banner tells address, demo merchant and how to pay, and no secret', () => {
  const text = banner(embedded, 4.21);
  for (const part of ['(4.2 s)', 'http://localhost:3000', 'demo-password', 'npm run pay']) expect(text).toContain(part);
  for (const secret of [devnet.controlToken, 'secret']) expect(text).not.toContain(secret);
});

test('the banner says who reaches the instance, and what it means when others do', () => {
  const line = (instance: Instance) => /Listens on +(.*)/.exec(banner(instance, 4.21))?.[1];
  expect(line(embedded)).toBe('127.0.0.1, for this machine alone (HOST opens it to others)');
  const open: Instance = { ...embedded, listensOn: { host: '0.0.0.0', isPrivate: false }, demoMerchant: null };
  expect(line(open)).toBe(
    '0.0.0.0, for everybody who reaches this machine: no demo merchant, accounts only with REGISTRATION=open',
  );
  expect(line({ ...open, mode: 'production' })).toBe('0.0.0.0, for everybody who reaches this machine');
  expect(banner(open, 4.21)).not.toContain('demo-password');
});

test('only what is embedded is called embedded, each price venue by its name', () => {
  expect(embeddedLine(embedded)).toBe('PostgreSQL, Ethereum (local chain, test coins), price venues (Kraken), mail');
  expect(embeddedLine({ ...embedded, devnet: { ...devnet, venues: [] } })).toBe(
    'PostgreSQL, Ethereum (local chain, test coins), mail',
  );
  const real = { ...embedded, devnet: { ...devnet, chains: [], venues: ['Kraken', 'Binance'] }, inboxUrl: null };
  expect(embeddedLine(real)).toBe('PostgreSQL, price venues (Kraken, Binance)');
  expect(embeddedLine({ ...embedded, devnet: null, inboxUrl: null, databaseUrl: null })).toBe('nothing');
});
