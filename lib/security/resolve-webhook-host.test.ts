import { expect, test } from 'vitest';
import { resolveWebhookHost } from './resolve-webhook-host';

const production = { allowLoopback: false, refusedPorts: [] };
const devnet = { allowLoopback: true, refusedPorts: [] };
const shop = new URL('https://shop.example/hook');

test('a name with public addresses only is pinned to exactly these', async () => {
  const resolved = await resolveWebhookHost(shop, production, async () => ['93.184.216.34', '2606:4700::1111']);
  expect(resolved).toEqual([
    { address: '93.184.216.34', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ]);
});

test('[D3] one address that is not public refuses the whole name', async () => {
  const answers = ['93.184.216.34', '10.0.0.7'];
  await expect(resolveWebhookHost(shop, production, async () => answers)).rejects.toThrow(
    '10.0.0.7, which is not public',
  );
});

test('[D3] a name that moved to loopback since it was accepted is refused, also where loopback is allowed', async () => {
  await expect(resolveWebhookHost(shop, devnet, async () => ['127.0.0.1'])).rejects.toThrow('not public');
});

test('a name without any address is refused', async () => {
  await expect(resolveWebhookHost(shop, production, async () => [])).rejects.toThrow('no address');
});

test.each(['https://127.0.0.1/', 'https://[::ffff:10.0.0.1]/', 'https://[64:ff9b::808:808]/', 'https://localhost/'])(
  '[D2] the literal %s is checked although no resolver is asked',
  async (url) => {
    const resolveName = async () => ['127.0.0.1'];
    await expect(resolveWebhookHost(new URL(url), production, resolveName)).rejects.toThrow('not public');
  },
);

test('localhost, where allowed, never asks a resolver', async () => {
  const resolveName = () => Promise.reject(new Error('asked'));
  const resolved = await resolveWebhookHost(new URL('http://localhost:9/'), devnet, resolveName);
  expect(resolved.map(({ address }) => address)).toEqual(['127.0.0.1', '::1']);
});
