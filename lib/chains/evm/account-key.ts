import { HDNodeWallet } from 'ethers';

/**
 * Extended public key of an EVM account, from which its addresses are derived without any private key.
 * @param seed the 64 bytes of a BIP-39 seed
 * @param account BIP-44 account: 0 primary wallets, 1 invoice wallets
 * @returns path m/44'/60'/account' (coin type 60 is shared by Ethereum and BNB Smart Chain, SLIP-44) and its xpub
 */
export function evmAccountKey(seed: Uint8Array, account: number): { path: string; publicKey: string } {
  const path = `m/44'/60'/${account}'`;
  return { path, publicKey: HDNodeWallet.fromSeed(seed).derivePath(path).neuter().extendedKey };
}
