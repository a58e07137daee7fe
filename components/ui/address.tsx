import type { Coin } from '@/lib/shared/coins';
import { addressGroups } from './address-groups';
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
