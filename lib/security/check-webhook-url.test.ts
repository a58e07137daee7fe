import { describe, expect, test } from 'vitest';
import { checkWebhookUrl } from './check-webhook-url';

const production = { allowLoopback: false, refusedPorts: [] };
const devnet = { allowLoopback: true, refusedPorts: [3000, 8545] };

/** The spellings under which loopback, private, special and malformed hosts hide. */
const HOSTS = [
  '127.0.0.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '127.1',
  '0',
  '0.0.0.0',
  'localhost',
  'localhost.',
  'LOCALHOST',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[2002:7f00:1::]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2001:0:7f00:1::]',
  '169.254.169.254',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '[fc00::1]',
  '100.64.0.1',
  '198.18.0.1',
  '192.0.0.1',
  '192.0.2.1',
  '224.0.0.1',
  '255.255.255.255',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  'evil.com@127.0.0.1',
  '127.0.0.1%2f@evil.com',
  'user:pw@example.com',
  '[::1%25lo]',
  '256.256.256.256',
  '168.63.129.16',
  '[fec0::1]',
  '[5f00::1]',
  '[100::1]',
  '[2001:db8::1]',
  '[2002:808:808::]',
  'intranet',
  'shop.local',
  'metadata.google.internal',
  'a.localhost',
  'example.com.',
  '',
];

describe('[D2] in production', () => {
  test.each(HOSTS)('https://%s/ is refused', (host) => {
    expect(checkWebhookUrl(`https://${host}/`, production)).toMatchObject({ code: 'webhook_url_refused', status: 422 });
  });

  test.each([
    'http://127.0.0.1#@evil.com/',
    'http://example.com/',
    'https://example.com:25/',
    'https://example.com:80/',
    'gopher://127.0.0.1:25/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'ftp://example.com/',
    'x',
    '',
  ])('%j is refused', (url) => {
    expect(checkWebhookUrl(url, production)?.code).toBe('webhook_url_refused');
  });

  test.each([
    'https://example.com/hook',
    'https://example.com:8443/hook?a=1',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://[::ffff:8.8.8.8]/',
    'https://127.0.0.1.nip.io/',
    'https://xn--bcher-kva.example/',
    'https://evil.com\\@127.0.0.1/',
  ])('%s is left to the check at delivery', (url) => {
    expect(checkWebhookUrl(url, production)).toBeNull();
  });
});

describe('where loopback is allowed', () => {
  test.each([
    'http://127.0.0.1:4000/hook',
    'http://localhost:4000/hook',
    'https://[::1]:4000/',
    'http://2130706433:4000/',
    'http://127.0.0.1/',
    'https://example.com/',
  ])('%s is fine', (url) => {
    expect(checkWebhookUrl(url, devnet)).toBeNull();
  });

  test.each([
    'http://127.0.0.1:3000/',
    'http://localhost:8545/',
    'http://[::1]:3000/',
    'http://0x7f000001:3000/',
    'http://[::ffff:127.0.0.1]:4000/',
    'http://0.0.0.0:4000/',
    'http://10.0.0.1:4000/',
    'http://169.254.169.254/',
    'http://example.com/',
    'http://localhost.:4000/',
    'http://user@localhost:4000/',
    'ftp://localhost:4000/',
  ])('%s is refused all the same', (url) => {
    expect(checkWebhookUrl(url, devnet)?.code).toBe('webhook_url_refused');
  });

  test('a refused default port counts without being written', () => {
    expect(checkWebhookUrl('http://localhost/', { allowLoopback: true, refusedPorts: [80] })).not.toBeNull();
  });
});

test('a refusal says why in Italian, at the field that carries the URL', () => {
  const refused = checkWebhookUrl('http://example.com/', production);
  expect(refused?.message).toBe("L'URL del webhook deve iniziare con https://.");
  expect(refused?.errors).toEqual([
    { pointer: '/webhookUrl', code: 'webhook_url_refused', detail: "L'URL del webhook deve iniziare con https://." },
  ]);
});
