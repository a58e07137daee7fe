import { HDNodeWallet } from 'ethers';
import type { KeyScheme } from '../definition';

/**
 * Accounts of EVM chains: m/44'/60'/account' (BIP-44; coin type 60 is shared by Ethereum and BNB Smart Chain, SLIP-44). One
 * serves all merchants: an address below it tells nothing of its neighbours.
 */
export const evmKeyScheme: KeyScheme = {
  accountKey(seed, account) {
    const path = `m/44'/60'/${account}'`;
    return { path, publicKey: HDNodeWallet.fromSeed(seed).derivePath(path).neuter().extendedKey };
  },
};
