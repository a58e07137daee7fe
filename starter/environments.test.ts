import { expect, test } from 'vitest';
import { parseEnv } from '@/lib/config/env';
import { foreignSecrets, SECRET_VARIABLES, wrongLogins } from '@/lib/config/foreign-secrets';
import { ROLES } from '@/lib/config/roles';
import { environments } from './environments';
import { readSettings } from './read-settings';

const secrets = {
  authSecret: 'a'.repeat(64),
  appSealKey: Buffer.alloc(32, 1).toString('base64'),
  controlToken: 'c'.repeat(43),
  rolePasswords: { web: 'pw-web', watcher: 'pw-watcher', dispatcher: 'pw-dispatcher', signer: 'pw-signer' },
  demoMerchant: { name: 'Demo', email: 'demo@incassa.example', password: 'demo' },
  kekFile: '/data/kek',
};
const ports = { postgres: 5001, devnet: 5002, node: 5003, smtp: 5004, inbox: 5005 };

function build(source: Record<string, string>) {
  return environments({
    settings: readSettings('/clone', source),
    secrets,
    ports,
    ownerUrl: 'postgresql://owner:secret@127.0.0.1:5001/incassa',
    rolePasswords: secrets.rolePasswords,
    source: { NODE_ENV: 'test', ...source },
  });
}

test('each process logs in with its own role and sees no secret of another', () => {
  const { web, watcher, dispatcher, signer } = build({
    DATABASE_DIRECT_URL: 'postgresql://direct:login@db.example/incassa',
  });
  expect(web.WEB_DATABASE_URL).toBe('postgresql://incassa_web:pw-web@127.0.0.1:5001/incassa');
  expect(signer.SIGNER_DATABASE_URL).toBe('postgresql://incassa_signer:pw-signer@127.0.0.1:5001/incassa');
  for (const process of [web, watcher, dispatcher]) {
    expect(process.KEK_FILE).toBe('');
    expect(process.SIGNER_DATABASE_URL).toBe('');
  }
  for (const process of [watcher, dispatcher, signer]) expect(process.AUTH_SECRET).toBe('');
  expect([watcher.APP_SEAL_KEY, signer.APP_SEAL_KEY]).toEqual(['', '']);
  expect([watcher.DATABASE_DIRECT_URL, signer.DATABASE_DIRECT_URL]).toEqual(['', '']);
  for (const process of [web, dispatcher]) expect(process.DATABASE_DIRECT_URL).toContain('@db.example/incassa');
  for (const process of [web, watcher, dispatcher, signer]) {
    expect(JSON.stringify(process)).not.toContain('owner:secret');
    expect(JSON.stringify(process)).not.toContain(secrets.controlToken);
    expect(() => parseEnv(process)).not.toThrow();
  }
});

test('each process can be given what it gets, whatever stands in the environment of the starter', () => {
  const url = 'postgresql://incassa_owner:secret@db.example/incassa';
  const everything = Object.fromEntries(SECRET_VARIABLES.map((name) => [name, name.endsWith('_URL') ? url : 'x']));
  const logins = Object.fromEntries(ROLES.map((role) => [`${role.toUpperCase()}_DATABASE_URL`, '']));
  const keys = { AUTH_SECRET: 'a'.repeat(32), APP_SEAL_KEY: secrets.appSealKey, KEK: secrets.appSealKey };
  const passwords = Object.fromEntries(ROLES.map((role) => [`${role.toUpperCase()}_DB_PASSWORD`, 'p'.repeat(16)]));
  const smtp = { SMTP_URL: 'smtps://mail.example' };
  const given = build({ ...everything, ...logins, ...keys, ...passwords, ...smtp });
  for (const role of ROLES) {
    expect([role, foreignSecrets(given[role], [role]), wrongLogins(given[role], [role])]).toEqual([role, [], []]);
    expect(JSON.stringify(given[role])).not.toContain('incassa_owner');
  }
});

test('[design 11] webhooks may go to loopback only while the chain is local, and never to the instance itself', () => {
  const local = parseEnv(build({}).dispatcher);
  expect(local.WEBHOOK_ALLOW_LOOPBACK).toBe(true);
  expect(local.WEBHOOK_REFUSED_PORTS).toEqual([3000, 5001, 5002, 5003, 5004, 5005]);
  const real = parseEnv(build({ ETH_RPC_URL: 'https://node.example', ETH_CHAIN_ID: '1' }).dispatcher);
  expect(real.WEBHOOK_ALLOW_LOOPBACK).toBe(false);
  expect(real.chains.ethereum?.settings.isDevnet).toBe(false);
  expect(local.chains.ethereum?.settings.isDevnet).toBe(true);
});

test.each(['', '127.0.0.1', '::1'])('on this machine alone (HOST "%s") anybody may make an account', (host) => {
  const { web } = build({ HOST: host });
  expect(web).toMatchObject({ HOST: host || '127.0.0.1', REGISTRATION: 'open', WEBHOOK_ALLOW_LOOPBACK: '1' });
});

test.each(['0.0.0.0', '::', '192.0.2.7'])(
  'on a network (HOST %s) nobody makes an account and no webhook reaches this machine, unless it is said',
  (host) => {
    const { web, dispatcher } = build({ HOST: host });
    expect(web).toMatchObject({ HOST: host, REGISTRATION: 'closed' });
    for (const each of [web, dispatcher]) expect(parseEnv(each).WEBHOOK_ALLOW_LOOPBACK).toBe(false);
    expect(build({ HOST: host, REGISTRATION: 'open' }).web.REGISTRATION).toBe('open');
  },
);

test('what is configured wins over what is embedded', () => {
  const { web, signer } = build({ AUTH_SECRET: 'b'.repeat(40), KEK: Buffer.alloc(32).toString('base64') });
  expect(web.AUTH_SECRET).toBe('b'.repeat(40));
  expect(signer.KEK_FILE ?? '').toBe('');
});
