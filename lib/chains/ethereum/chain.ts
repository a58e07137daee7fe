import { defineEvmChain } from '../evm/define-evm-chain';

/** Ethereum. Final after two to three epochs of 32 blocks, so that a reorg that goes deeper than 64 is refused. */
export const ethereum = defineEvmChain({
  chain: 'ethereum',
  coin: 'ETH',
  prefix: 'ETH',
  chainId: 1,
  confirmations: 12,
  pollMs: 1000,
  devnetChainId: 31_337,
  traits: {
    ancestorsAtStart: 64,
    keptBlocks: 512,
    // About 2 MB of answer each time.
    blocksPerStep: 5,
    toleratedLagBlocks: 2,
    stalledAfterSeconds: 3600,
    // A block's time is that of its slot, which has begun when others take it: what remains is how far clocks differ.
    toleratedAheadSeconds: 60,
  },
});
