import { getAddress, HDNodeVoidWallet, HDNodeWallet } from 'ethers';
import type { AddressCodec } from '../types';

const ADDRESS = /^0x[0-9a-fA-F]{40}$/i;

/** Receiving branches (BIP-44 change 0) by account key: an instance has two, parsing one costs as much as a derivation. */
const receivingBranches = new Map<string, HDNodeVoidWallet>();

function receivingBranch(accountPublicKey: string): HDNodeVoidWallet {
  const known = receivingBranches.get(accountPublicKey);
  if (known) return known;
  const account = HDNodeWallet.fromExtendedKey(accountPublicKey);
  if (!(account instanceof HDNodeVoidWallet)) throw new Error('An account public key is needed, not a private one.');
  const branch = account.deriveChild(0);
  receivingBranches.set(accountPublicKey, branch);
  return branch;
}

/**
 * EVM addresses: canonical in lower-case hex, shown with the EIP-55 checksum, derived from the xpub of `m/44'/60'/a'` at
 * `0/i` (BIP-44; the paths of MetaMask, Trust Wallet and Ledger).
 */
export const evmAddressCodec: AddressCodec = {
  derive(accountPublicKey, index) {
    return receivingBranch(accountPublicKey).deriveChild(index).address.toLowerCase();
  },

  parse(text) {
    const typed = text.trim();
    if (!ADDRESS.test(typed)) return null;
    const digits = typed.slice(2);
    const canonical = `0x${digits.toLowerCase()}`;
    const isMixedCase = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
    return !isMixedCase || getAddress(canonical) === `0x${digits}` ? canonical : null;
  },

  display(canonical) {
    return getAddress(canonical);
  },
};
