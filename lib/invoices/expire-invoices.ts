import type { Database } from '@/lib/db/database';
import { COIN_INFO, COINS, type Coin } from '@/lib/shared/coins';
import type { Clock } from '@/lib/shared/time';
import { notifyChanges } from './notify-changes';
import { type Settlement, settleInvoice } from './settle-invoice';
import { selectExpirable } from './settlement-repository';

const BATCH = 200;
const GRACE_SECONDS = Object.fromEntries(COINS.map((coin) => [coin, COIN_INFO[coin].inclusionGraceSeconds])) as Record<
  Coin,
  number
>;

/**
 * Settles the pending invoices whose time is over, a batch at a time. The query only proposes: the decision is made
 * under the lock by `settleInvoice`.
 * @returns how many became expired
 */
export async function expireInvoices(db: Database, clock: Clock): Promise<number> {
  const settlements: Settlement[] = [];
  for (const id of await selectExpirable(db.pool, clock(), GRACE_SECONDS, BATCH)) {
    const settlement = await settleInvoice(db, id, clock);
    if (settlement) settlements.push(settlement);
  }
  await notifyChanges(db, settlements);
  return settlements.filter((settlement) => settlement.statusChanged).length;
}
