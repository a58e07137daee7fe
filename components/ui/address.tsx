import { type Coin, chainOf } from '@/lib/shared/coins';
import { classNames } from './class-names';

interface AddressProps {
  address: string;
  coin: Coin;
  size?: 'sm' | 'md';
}

/** A whole address in groups of four. The gaps are CSS: what is selected and copied is the plain address. */
export function Address({ address, coin, size = 'sm' }: AddressProps) {
  const { prefix, groups } = addressGroups(address, coin);
  return (
    <span
      translate="no"
      data-address={address}
      className={classNames(
        'addr',
        size === 'md' && 'addr--md',
        prefix && (prefix === '0x' ? 'addr--hex' : 'addr--bech32'),
      )}
    >
      {prefix && <span className="addr__prefix">{prefix}</span>}
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups repeat and never move
        <span key={index} className={classNames('addr__group', index % 2 === 1 && 'addr__group--even')}>
          {group}
        </span>
      ))}
    </span>
  );
}

interface AddressGroups {
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
  const pattern = chainOf(coin).family === 'LITECOIN' ? BECH32_PREFIX : HEX_PREFIX;
  const prefix = pattern.exec(address)?.[0] ?? '';
  return { prefix, groups: address.slice(prefix.length).match(/.{1,4}/g) ?? [] };
}
