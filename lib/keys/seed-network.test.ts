import { expect, test } from 'vitest';
import { parseEnv } from '@/lib/config/env';
import { seedNetwork } from './seed-network';

const NODE = { INCASSA_MODE: 'embedded', ETH_RPC_URL: 'http://127.0.0.1:1' };

test.each([
  ['no chain at all', {}, 'mainnet'],
  ['a chain of real coins', { ...NODE, ETH_CHAIN_ID: '1' }, 'mainnet'],
  ['a local chain', { ...NODE, ETH_DEVNET: '1' }, 'devnet'],
])('with %s', (_, source, network) => {
  expect(seedNetwork(parseEnv(source))).toBe(network);
});
