/** "Wallet Principale", or "Wallet Fattura" for any other type. */
export function walletTypeName(type: string): string {
  return type === 'primary' ? 'Wallet Principale' : 'Wallet Fattura';
}
