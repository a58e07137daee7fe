import type { Coin } from '@/lib/shared/coins';

export interface AddressGroups {
  /** Part that hangs left: "0x", "ltc1"; empty when the coin has none. */
  prefix: string;
  /** The rest, four characters each; the last may be shorter. */
  groups: string[];
}

/** Litecoin's bech32 prefixes: main net, test net, local net. */
const BECH32_PREFIX = /^(?:ltc1|tltc1|rltc1)/;
const HEX_PREFIX = /^0x/;

/** Splits an address into groups that an eye can compare. Joined again, prefix and groups are the address. */
export function addressGroups(address: string, coin: Coin): AddressGroups {
  const pattern = coin === 'LTC' ? BECH32_PREFIX : HEX_PREFIX;
  const prefix = pattern.exec(address)?.[0] ?? '';
  return { prefix, groups: address.slice(prefix.length).match(/.{1,4}/g) ?? [] };
}
