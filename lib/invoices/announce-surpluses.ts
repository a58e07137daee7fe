import { notify } from '@/lib/db/channels';
import type { Database } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';
import type { Clock } from '@/lib/shared/time';
import { noteSurplus, selectUntold } from './surplus-repository';

/** What is left is told after the next comparison. */
const MOST_AT_ONCE = 200;

/**
 * Tells merchants of money on an invoice's address that the records do not explain, as the comparisons found it: once, and
 * again when there is more. It changes no status: an operator brings the money in.
 * @returns uuids of the invoices
 */
export async function announceSurpluses(db: Pick<Database, 'pool'>, coin: Coin, clock: Clock): Promise<string[]> {
  const told: string[] = [];
  for (const { id, uuid } of await selectUntold(db.pool, coin, MOST_AT_ONCE))
    if (await noteSurplus(db.pool, id, clock())) told.push(uuid);
  await notify(
    db,
    told.map((payload) => ({ channel: 'invoice', payload })),
  );
  return told;
}
