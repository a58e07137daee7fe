import type { Books } from './books';
import type { Memory } from './memory';
import type { Merchant } from './merchant';
import { Violation } from './violation';

/**
 * Two merchants never cross: an invoice is its maker's for ever, its wallet too, and a key tells of nobody else's.
 * @throws Violation
 */
export function checkOwners(
  { invoices, wallets }: Books,
  memory: Memory,
  merchants: readonly [Merchant, Merchant],
): void {
  const ownerOf = new Map(memory.invoices.map(({ uuid, merchant }) => [uuid, merchants[merchant]]));
  for (const invoice of invoices) {
    const owner = ownerOf.get(invoice.uuid);
    const wallet = wallets.find(({ id }) => id === invoice.walletId);
    const isTheirs = owner?.userId === invoice.userId && (wallet === undefined || wallet.userId === invoice.userId);
    if (!isTheirs) throw new Violation("an invoice and its wallet are its maker's", { invoice, wallet, owner });
    const told = invoice.events.flatMap(({ deliveries }) => deliveries.map(({ apiKeyId }) => apiKeyId));
    const stranger = told.find((id) => !owner?.keyIds.includes(id));
    if (stranger !== undefined)
      throw new Violation("a key is told of its owner's invoices alone", { invoice, stranger });
  }
}
