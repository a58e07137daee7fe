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

test('more nodes that must agree than there are, and a list without one, are refused by every process', async () => {
  const said = async (variables: Record<string, string>) => {
    vi.resetModules();
    const chains = await chainsWith(variables);
    return () => chains.enabledChains();
  };
  const node = 'http://127.0.0.1:8545';
  const two = { ETH_RPC_URL: `${node},http://127.0.0.1:8546` };
  expect(await said({ ...two, ETH_QUORUM: '3' })).toThrow('ETH_QUORUM must not be greater than the number of nodes');
  expect(await said({ ...two, ETH_QUORUM: '2' })).not.toThrow();
  expect(await said({ ETH_RPC_URL: `${node},${node}`, ETH_QUORUM: '2' })).toThrow('ETH_QUORUM');
  expect(await said({ ETH_RPC_URL: ',', ETH_QUORUM: '1' })).toThrow('ETH_RPC_URL must be a URL');
});

test('without a node nothing can be paid, and a process that reads chains does not start', async () => {
  const chains = await chainsWith({});
  expect(chains.enabledChains()).toEqual([]);
  expect(chains.enabledCoins()).toEqual([]);
  expect(() => chains.configuredChain('ethereum')).toThrow('No node');
  expect(() => chains.requireChains()).toThrow('ETH_RPC_URL');
});
