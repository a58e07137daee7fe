import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { coinsOf } from '@/lib/shared/coins';

beforeEach(() => vi.resetModules());
afterEach(() => vi.unstubAllEnvs());

async function chainsWith(variables: Record<string, string>) {
  vi.stubEnv('ETH_RPC_URL', '');
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  return import('./chains');
}

test('a chain is enabled when its node is configured, and its coins with it', async () => {
  const chains = await chainsWith({ ETH_RPC_URL: 'http://127.0.0.1:8545' });
  expect(chains.enabledChains()).toEqual(['ethereum']);
  expect(chains.requireChains()).toEqual(['ethereum']);
  expect(chains.enabledCoins()).toEqual(coinsOf('ethereum'));
  expect((await chains.configuredChain('ethereum').openReader({})).chain).toBe('ethereum');
  expect(() => chains.configuredChain('ton')).toThrow('No node is configured for ton');
});

test('without a node nothing can be paid, and a process that reads chains does not start', async () => {
  const chains = await chainsWith({});
  expect(chains.enabledChains()).toEqual([]);
  expect(chains.enabledCoins()).toEqual([]);
  expect(() => chains.configuredChain('ethereum')).toThrow('No node');
  expect(() => chains.requireChains()).toThrow('ETH_RPC_URL');
});
