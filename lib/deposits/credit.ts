import type { Transfer } from '@/lib/chains/types';
import type { FoundTransfer } from './deposit';

interface CreditFacts {
  key: string;
  coin: Transfer['coin'];
  address: string;
  poolAddressId: bigint;
  txHash: string;
  amountUnits: bigint;
  block: { height: bigint; hash: string; time: Date };
}

/** A credit as it is stored: a deposit of its own kind. */
export function creditOf({
  key,
  coin,
  address,
  poolAddressId,
  txHash,
  amountUnits,
  block,
}: CreditFacts): FoundTransfer {
  return {
    transfer: { key, txHash, coin, kind: 'credit', from: null, to: address, amountUnits, maturity: 0, spends: [] },
    poolAddressId,
    block,
    extraConfirmations: 0,
  };
}

/** The smaller of two amounts. */
export function lesser(first: bigint, second: bigint): bigint {
  return first < second ? first : second;
}
