import { expect, test } from 'vitest';
import { CHAIN_INFO } from '@/lib/shared/chains';
import { COIN_INFO, COINS } from '@/lib/shared/coins';
import { addressCodec, addressSourceOf, CHAIN_DEFINITIONS, chainDefinition } from './registry';

test('addresses work without a node, and a family that no chain of ours has is refused', () => {
  expect(addressCodec('EVM').parse('0xde709f2102306220921060314715629080e2fb77')).not.toBeNull();
  expect(() => addressCodec('TON')).toThrow('TON');
});

test('a chain is known under its own name', () => {
  for (const definition of CHAIN_DEFINITIONS) expect(chainDefinition(definition.chain)).toBe(definition);
  expect(() => chainDefinition('litecoin')).toThrow('litecoin');
});

test('a wallet of every coin whose chain is read takes its address from that chain', () => {
  const readable = COINS.filter((coin) => CHAIN_DEFINITIONS.some(({ chain }) => chain === COIN_INFO[coin].chain));
  expect(readable).not.toEqual([]);
  for (const coin of readable) {
    const { chain } = COIN_INFO[coin];
    expect(addressSourceOf(coin)).toMatchObject({ chain, family: CHAIN_INFO[chain].family });
  }
});
