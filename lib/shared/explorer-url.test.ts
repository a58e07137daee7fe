import { expect, it } from 'vitest';
import { COINS } from './coins';
import { explorerUrl } from './explorer-url';

it('[S9.14-01..04] links ETH, BNB and TON to an explorer, and no other coin', () => {
  const linked = COINS.filter((coin) => explorerUrl(coin, 'ab12') !== null);
  expect(linked).toEqual(['ETH', 'BNB', 'TON']);
  expect(explorerUrl('ETH', '0xab')).toBe('https://etherscan.io/tx/0xab');
});

it('keeps a hash inside its place in the address', () => {
  expect(explorerUrl('TON', 'a/b?c=d')).toBe('https://tonviewer.com/transaction/a%2Fb%3Fc%3Dd');
});
