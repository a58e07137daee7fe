import { HDNodeWallet } from 'ethers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evmAddressCodec } from './address';

/** BIP-39's own first test phrase: worthless, and known to every wallet. */
const PHRASE = 'abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about';

function account(number: number) {
  return HDNodeWallet.fromPhrase(PHRASE, '', `m/44'/60'/${number}'`);
}

test('address 0 below the account key is the one that Trust Wallet and MetaMask show for the phrase', () => {
  expect(evmAddressCodec.derive(account(0).neuter().extendedKey, 0)).toBe('0x9858effd232b4033e47d90003d41ec34ecaeda94');
});

test('addresses derived from the public key are those of the private keys, per account', () => {
  for (const number of [0, 1]) {
    const publicKey = account(number).neuter().extendedKey;
    for (const index of [0, 1, 7, 2 ** 31 - 1]) {
      const own = HDNodeWallet.fromPhrase(PHRASE, '', `m/44'/60'/${number}'/0/${index}`);
      expect(evmAddressCodec.derive(publicKey, index)).toBe(own.address.toLowerCase());
    }
  }
});

test('a private extended key is refused: an address needs none', () => {
  expect(() => evmAddressCodec.derive(account(0).extendedKey, 0)).toThrow('public key');
});

test('the EIP-55 examples are shown as the standard writes them and parse to one canonical form', () => {
  const examples = [
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ];
  for (const example of examples) {
    const canonical = evmAddressCodec.parse(example);
    expect(canonical).toBe(example.toLowerCase());
    expect(evmAddressCodec.display(example.toLowerCase())).toBe(example);
    expect(evmAddressCodec.parse(` ${example.toLowerCase()}\n`)).toBe(canonical);
    expect(evmAddressCodec.parse(`0x${example.slice(2).toUpperCase()}`)).toBe(canonical);
  }
});

test.each([
  ['a wrong checksum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'],
  ['a digit too few', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae'],
  ['a digit too many', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed0'],
  ['no prefix', '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ['a letter that is no digit', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaeg'],
  ['ICAP', 'XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS'],
  ['a TRON address', 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'],
  ['nothing', ''],
])('%s is not an address', (_, text) => {
  expect(evmAddressCodec.parse(text)).toBeNull();
});

test('what is shown parses back to the canonical form, for any address', () => {
  const canonical = fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
  fc.assert(fc.property(canonical, (address) => evmAddressCodec.parse(evmAddressCodec.display(address)) === address));
});
