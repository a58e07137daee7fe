import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => vi.resetModules());
afterEach(() => vi.unstubAllEnvs());

async function registryWith(variables: Record<string, string>) {
  vi.stubEnv('ETH_RPC_URL', '');
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  return import('./registry');
}

test('a coin is enabled when its node is configured', async () => {
  const registry = await registryWith({ ETH_RPC_URL: 'http://127.0.0.1:8545' });
  expect(registry.enabledCoins()).toEqual(['ETH']);
  expect((await registry.chainAdapter('ETH')).coin).toBe('ETH');
  await expect(registry.chainAdapter('TON')).rejects.toThrow('No node is configured for TON');
});

test('without a node no coin is enabled, and addresses still work', async () => {
  const registry = await registryWith({});
  expect(registry.enabledCoins()).toEqual([]);
  await expect(registry.chainAdapter('ETH')).rejects.toThrow('No node');
  expect(registry.addressCodec('EVM').parse('0xde709f2102306220921060314715629080e2fb77')).not.toBeNull();
  expect(() => registry.addressCodec('TON')).toThrow('TON');
});
