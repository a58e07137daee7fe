import type { Chain } from '@/lib/shared/chains';

/** The right to read one chain. A newer lease has a greater token, and every write checks it. */
export interface Lease {
  chain: Chain;
  token: bigint;
  owner: string;
}

/** Somebody else holds the chain's lease: whatever was read under the old one must be dropped. */
export class LeaseLostError extends Error {
  constructor(lease: Lease) {
    super(`The lease ${lease.token} of ${lease.chain} is no longer the newest.`);
    this.name = 'LeaseLostError';
  }
}
