import type { Database } from '@/lib/db/database';
import type { Lease } from '@/lib/deposits/types';
import type { Coin } from '@/lib/shared/coins';
import { insertCursor, takeFreeLease } from './repository';

/**
 * Takes the right to read a coin's chain, if nobody holds it. Several watchers may ask; one gets it.
 * @param request.ttlMs milliseconds after which another may take the lease over unless it is renewed
 * @param request.confirmations stored beside the cursor, for everyone who decides whether a deposit counts
 * @returns null while another holds the lease
 */
export async function takeLease(
  db: Database,
  request: { coin: Coin; owner: string; ttlMs: number; confirmations: number },
): Promise<Lease | null> {
  await insertCursor(db.pool, request.coin);
  const token = await takeFreeLease(db.pool, request);
  return token === null ? null : { coin: request.coin, owner: request.owner, token };
}
